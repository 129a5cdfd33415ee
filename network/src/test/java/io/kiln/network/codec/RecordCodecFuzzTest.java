package io.kiln.network.codec;

import io.kiln.network.fuzz.CodecFuzzer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Every kind of component, damaged.
class RecordCodecFuzzTest {
  @Test
  void damagedRecordsAreRefusedOrReadBack() {
    new CodecFuzzer(RecordCodecTest.CODEC).run(Duration.ofSeconds(15));
  }
}
