package io.kiln.executor.protocol;

import io.kiln.network.fuzz.CodecFuzzer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Every message between a driver and its executors, damaged.
class ExecutorProtocolFuzzTest {
  @Test
  void damagedMessagesAreRefusedOrReadBack() {
    new CodecFuzzer(ExecutorProtocol.codec()).run(Duration.ofSeconds(25));
  }
}
