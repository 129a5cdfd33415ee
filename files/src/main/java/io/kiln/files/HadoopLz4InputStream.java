package io.kiln.files;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/// Reads the block format that Hadoop's LZ4 codec writes: blocks of a 4-byte big-endian length of
/// the content, then chunks, each a 4-byte length and that many compressed bytes, until the content
/// is complete.
final class HadoopLz4InputStream extends InputStream {
  /// More than any Hadoop buffer is set to; a larger length is no LZ4 file.
  private static final int MAX_BLOCK_BYTES = 64 << 20;

  private final DataInputStream in;
  private final LZ4SafeDecompressor decompressor = LZ4Factory.safeInstance().safeDecompressor();
  private byte[] compressed = new byte[0];
  private byte[] content = new byte[0];
  private int position;
  private int limit;
  private int blockRest;

  HadoopLz4InputStream(InputStream in) {
    this.in = new DataInputStream(in);
  }

  @Override
  public int read() throws IOException {
    return fill() ? content[position++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, limit - position);
    System.arraycopy(content, position, into, offset, count);
    position += count;
    return count;
  }

  private boolean fill() throws IOException {
    while (position == limit) {
      if (blockRest == 0) {
        int first = in.read();
        if (first < 0) {
          return false;
        }
        blockRest = checked(first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort());
      } else {
        decompressChunk();
      }
    }
    return true;
  }

  private void decompressChunk() throws IOException {
    int length = checked(in.readInt());
    if (compressed.length < length) {
      compressed = new byte[length];
    }
    if (in.readNBytes(compressed, 0, length) < length) {
      throw new EOFException("the file ends inside an LZ4 block");
    }
    if (content.length < blockRest) {
      content = new byte[blockRest];
    }
    try {
      position = 0;
      limit = decompressor.decompress(compressed, 0, length, content, 0, blockRest);
      blockRest -= limit;
    } catch (LZ4Exception e) {
      throw new IOException("not LZ4 data: " + e.getMessage(), e);
    }
  }

  private static int checked(int length) throws IOException {
    if (length < 0 || length > MAX_BLOCK_BYTES) {
      throw new IOException("not LZ4 data: a block of " + length + " bytes");
    }
    return length;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
