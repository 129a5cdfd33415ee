package io.kiln.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;

/// What the blocks hold that begin in a range of a bzip2 file, and then those after it. Used by one
/// thread.
final class Bzip2SplitStream extends InputStream {
  private final Bzip2Blocks blocks;
  private final long endByte;
  private final boolean fromBeginning;
  private boolean hasBlock;
  private int position;
  private long passedBytes;
  private long rangeBytes = -1;

  /// @param channel of the whole file; closed with this
  Bzip2SplitStream(SeekableByteChannel channel, long beginByte, long endByte) throws IOException {
    this.blocks = new Bzip2Blocks(channel);
    this.endByte = endByte;
    this.hasBlock = blocks.first(beginByte, endByte);
    this.fromBeginning = hasBlock && blocks.isAtFirst();
    if (!hasBlock) {
      rangeBytes = 0;
    }
  }

  /// Whether nothing is in the file before the range's blocks.
  boolean isFromBeginning() {
    return fromBeginning;
  }

  /// How many bytes the range's blocks hold; -1 until more than that was read.
  long rangeBytes() {
    return rangeBytes;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  /// Bytes of one block at most.
  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (hasBlock && position == blocks.content().length) {
      passedBytes += position;
      position = 0;
      hasBlock = blocks.next();
      if (hasBlock && rangeBytes < 0 && blocks.startBit() >= 8 * endByte) {
        rangeBytes = passedBytes;
      }
    }
    if (!hasBlock) {
      return -1;
    }
    int count = Math.min(length, blocks.content().length - position);
    System.arraycopy(blocks.content(), position, target, offset, count);
    position += count;
    return count;
  }

  @Override
  public void close() throws IOException {
    blocks.close();
  }
}
