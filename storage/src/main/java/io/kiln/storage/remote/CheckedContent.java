package io.kiln.storage.remote;

import io.kiln.network.transport.Content;
import io.kiln.storage.block.StoredBytes;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// Sends bytes in chunks, each with its length and checksum before it (four bytes each): a reader
/// can believe each as it comes. Read by [CheckedStream].
final class CheckedContent implements Content.Pieces {
  static final int CHUNK_BYTES = 256 << 10;
  static final int HEADER_BYTES = 8;

  private final StoredBytes stored;
  private final CRC32C crc = new CRC32C();
  private long leftBytes;

  private CheckedContent(StoredBytes stored) {
    this.stored = stored;
    this.leftBytes = stored.lengthBytes();
  }

  /// @param stored closed when it was sent
  static Content of(StoredBytes stored) {
    long chunks = Math.ceilDiv(stored.lengthBytes(), CHUNK_BYTES);
    return new Content.OfPieces(
        stored.lengthBytes() + chunks * HEADER_BYTES, new CheckedContent(stored));
  }

  @Override
  public Content next() throws IOException {
    int length = (int) Math.min(CHUNK_BYTES, leftBytes);
    byte[] chunk = new byte[HEADER_BYTES + length];
    if (stored.bytes().readNBytes(chunk, HEADER_BYTES, length) < length) {
      throw new EOFException("a block is shorter than it should be");
    }
    leftBytes -= length;
    crc.reset();
    crc.update(chunk, HEADER_BYTES, length);
    ByteBuffer.wrap(chunk).putInt(length).putInt((int) crc.getValue());
    return Content.OfBytes.of(chunk);
  }

  @Override
  public void close() {
    try {
      stored.bytes().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
