package io.kiln.storage.remote;

import io.kiln.process.disk.FilledStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// Reads what a [CheckedContent] sends; gives out nothing that it has not verified. Used by one
/// thread.
final class CheckedStream extends FilledStream {
  private final InputStream sent;
  private final byte[] header = new byte[CheckedContent.HEADER_BYTES];
  private final CRC32C crc = new CRC32C();

  CheckedStream(InputStream sent) {
    this.sent = sent;
  }

  /// Waits for the first chunk.
  void begin() throws IOException {
    if (position == limit) {
      boolean _ = fill();
    }
  }

  @Override
  protected boolean fill() throws IOException {
    int got = sent.readNBytes(header, 0, header.length);
    if (got == 0) {
      return false;
    }
    int length = ByteBuffer.wrap(header).getInt();
    if (got < header.length || length <= 0 || length > CheckedContent.CHUNK_BYTES) {
      throw new IOException("what came is no chunk of a block");
    }
    if (buffer.length < length) {
      buffer = new byte[length];
    }
    if (sent.readNBytes(buffer, 0, length) < length) {
      throw new EOFException("what came ends within a chunk");
    }
    crc.reset();
    crc.update(buffer, 0, length);
    if ((int) crc.getValue() != ByteBuffer.wrap(header).getInt(Integer.BYTES)) {
      throw new IOException("what came has a wrong checksum: the network changed it");
    }
    position = 0;
    limit = length;
    return true;
  }

  @Override
  public void close() throws IOException {
    sent.close();
  }
}
