package io.kiln.executor.process;

import io.kiln.network.fuzz.CodecFuzzer;
import io.kiln.protocol.ExecutorProtocol;
import io.kiln.storage.remote.StorageProtocol;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Every message between a driver and its executors, damaged.
class ExecutorProtocolFuzzTest {
  @Test
  void damagedMessagesAreRefusedOrReadBack() {
    new CodecFuzzer(ExecutorProtocol.codec(StorageProtocol::register)).run(Duration.ofSeconds(25));
  }
}
