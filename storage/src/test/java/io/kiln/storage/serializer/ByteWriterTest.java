package io.kiln.storage.serializer;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ByteWriterTest {

  /// It is said before there is any array of that size, and is no want of memory.
  @Test
  void aRecordOfMoreThanAnArrayHoldsIsToldAsThat() {
    ByteWriter writer = new ByteWriter(16);
    writer.writeByte(1);

    assertThatThrownBy(() -> writer.writeBytes(new byte[1], 0, ByteWriter.MAX_BYTES))
        .isInstanceOf(SizeLimitExceeded.class)
        .hasMessageContaining("a record has more than 2 GiB")
        .hasMessageContaining("make several smaller records");
  }
}
