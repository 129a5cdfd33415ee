package io.kiln.shuffle.server;

import io.kiln.network.codec.WireFormatException;
import io.kiln.network.codec.WireReader;
import io.kiln.network.transport.ContentStream;
import java.io.EOFException;
import java.io.IOException;

/// Reads what a [ShuffleContent] sends.
public final class ShuffleAnswer {
  private static final int MAX_TABLE_BYTES = 1 << 30;

  private ShuffleAnswer() {}

  /// The table that comes first.
  public static WireReader table(ContentStream stream) throws IOException {
    int length = new WireReader(exactly(stream, Integer.BYTES), 0, Integer.BYTES, 1).readFixedInt();
    if (length < 0 || length > Math.min(MAX_TABLE_BYTES, stream.lengthBytes())) {
      throw new WireFormatException("a table of " + length + " bytes is announced");
    }
    return new WireReader(exactly(stream, length), 0, length, 1);
  }

  private static byte[] exactly(ContentStream stream, int length) throws IOException {
    byte[] bytes = new byte[length];
    readFully(stream, bytes, 0, length);
    return bytes;
  }

  public static void readFully(ContentStream stream, byte[] target, int offset, int length)
      throws IOException {
    if (stream.readNBytes(target, offset, length) < length) {
      throw new EOFException("the content ends within what it announced");
    }
  }
}
