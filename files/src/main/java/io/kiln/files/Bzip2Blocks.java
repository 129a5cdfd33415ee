package io.kiln.files;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;

/// The blocks of a bzip2 file, each of which can be decompressed by itself: it begins with a magic
/// number of 48 bits, at any bit, and has a checksum. The end of a stream has a magic number too,
/// after which another stream may follow. (The format is described in "BZIP2: Format Specification"
/// by Joe Tsai, 2015.)
///
/// The magic numbers may occur within a block by chance, so what begins with one is taken for a
/// block only if it decompresses to what has its checksum. Used by one thread.
final class Bzip2Blocks implements Closeable {
  private static final long BLOCK_MAGIC = 0x314159265359L;
  private static final long END_MAGIC = 0x177245385090L;
  private static final int MAGIC_BITS = 48;
  private static final long MAGIC_MASK = (1L << MAGIC_BITS) - 1;
  private static final int CHECKSUM_BITS = 32;
  private static final byte[] HEADER = {'B', 'Z', 'h', '9'};
  private static final int WINDOW_BYTES = 64 << 10;

  /// More than 900,000 bytes take when they can't be compressed.
  private static final long MAX_BLOCK_BITS = 2L << 23;

  private final SeekableByteChannel channel;
  private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
  private long windowStart;
  private Block current;

  /// A place in the file where a magic number stands.
  ///
  /// @param bit of its first bit
  private record Mark(long bit, boolean isEnd) {}

  private static final class Block {
    private final long startBit;
    private final byte[] content;
    private final Mark next;

    Block(long startBit, byte[] content, Mark next) {
      this.startBit = startBit;
      this.content = content;
      this.next = next;
    }
  }

  /// @param channel of a whole file; closed with this
  Bzip2Blocks(SeekableByteChannel channel) {
    this.channel = channel;
  }

  /// Moves to the first block that begins at or after a byte.
  ///
  /// @return whether there is one before another byte
  boolean first(long beginByte, long endByte) throws IOException {
    if (beginByte == 0) {
      requireHeader(0);
    }
    for (Mark at = mark(8 * beginByte); at != null; at = mark(at.bit() + 1)) {
      if (at.bit() >= 8 * endByte) {
        return false;
      }
      if (at.isEnd()) {
        continue;
      }
      try {
        current = block(at.bit());
        return true;
      } catch (IOException e) {
        if (!isInsideABlock(at.bit())) {
          throw e;
        }
      }
    }
    return false;
  }

  /// Moves to the next block.
  ///
  /// @return whether there is one
  boolean next() throws IOException {
    Mark next = current.next;
    if (next.isEnd()) {
      long end = Math.ceilDiv(next.bit() + MAGIC_BITS + CHECKSUM_BITS, 8L);
      if (end > channel.size()) {
        throw cutShort();
      }
      if (end == channel.size()) {
        return false;
      }
      requireHeader(end);
      next = mark(8 * (end + HEADER.length));
      if (next == null || next.bit() != 8 * (end + HEADER.length)) {
        throw new IOException("what follows the end of a bzip2 stream is none");
      }
      if (next.isEnd()) {
        current = new Block(next.bit(), new byte[0], next);
        return next();
      }
    }
    current = block(next.bit());
    return true;
  }

  /// Whether no block is before the one moved to.
  boolean isAtFirst() throws IOException {
    Mark at = mark(8L * HEADER.length);
    while (at != null && at.isEnd() && at.bit() < current.startBit) {
      at = mark(at.bit() + 1);
    }
    return at != null && at.bit() == current.startBit;
  }

  /// Of the block moved to: the bit at which it begins in the file.
  long startBit() {
    return current.startBit;
  }

  /// Of the block moved to, decompressed.
  byte[] content() {
    return current.content;
  }

  private void requireHeader(long at) throws IOException {
    int level = byteAt(at + 3);
    if (byteAt(at) != 'B'
        || byteAt(at + 1) != 'Z'
        || byteAt(at + 2) != 'h'
        || level < '1'
        || level > '9') {
      throw new IOException("no bzip2 stream begins at byte " + at);
    }
  }

  private static EOFException cutShort() {
    return new EOFException("the bzip2 file is cut short");
  }

  /// A magic number inside of it only looks like its end: then the next is tried.
  private Block block(long startBit) throws IOException {
    Mark end = mark(startBit + MAGIC_BITS);
    IOException failure = null;
    while (end != null && end.bit() - startBit <= MAX_BLOCK_BITS) {
      try {
        return new Block(startBit, decompressed(startBit, end.bit()), end);
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        }
      }
      end = mark(end.bit() + 1);
    }
    throw failure != null ? failure : cutShort();
  }

  /// Whether a magic number at `bit` is a block's content, and begins none.
  private boolean isInsideABlock(long bit) throws IOException {
    Mark before = mark(Math.max(0, bit - MAX_BLOCK_BITS));
    while (before != null && before.bit() < bit) {
      if (!before.isEnd()) {
        try {
          if (block(before.bit()).next.bit() > bit) {
            return true;
          }
        } catch (IOException e) {
          // this one is no block either
        }
      }
      before = mark(before.bit() + 1);
    }
    return false;
  }

  /// As a stream of that block alone.
  private byte[] decompressed(long startBit, long endBit) throws IOException {
    byte[] stream = new byte[(int) ((endBit - startBit) / 8) + 32];
    System.arraycopy(HEADER, 0, stream, 0, HEADER.length);
    Bits out = new Bits(stream, 8L * HEADER.length);
    long bit = startBit;
    while (bit < endBit) {
      int count = (int) Math.min(8, endBit - bit);
      out.write(bits(bit, count), count);
      bit += count;
    }
    out.write(END_MAGIC, MAGIC_BITS);
    out.write(bits(startBit + MAGIC_BITS, CHECKSUM_BITS), CHECKSUM_BITS);
    try (BZip2CompressorInputStream in =
        new BZip2CompressorInputStream(new ByteArrayInputStream(stream))) {
      return in.readAllBytes();
    } catch (RuntimeException e) { // the library's, of what is no block
      throw new IOException("a bzip2 block can't be decompressed: " + e, e);
    }
  }

  /// Appends to an array bit by bit.
  private static final class Bits {
    private final byte[] bytes;
    private long at;

    Bits(byte[] bytes, long at) {
      this.bytes = bytes;
      this.at = at;
    }

    void write(long value, int count) {
      for (int left = count; left > 0; ) {
        int room = 8 - (int) (at & 7);
        int taken = Math.min(room, left);
        long part = (value >>> (left - taken)) & ((1L << taken) - 1);
        bytes[(int) (at >>> 3)] |= (byte) (part << (room - taken));
        at += taken;
        left -= taken;
      }
    }
  }

  private long bits(long from, int count) throws IOException {
    long value = 0;
    long bit = from;
    for (int left = count; left > 0; ) {
      int room = 8 - (int) (bit & 7);
      int taken = Math.min(room, left);
      int whole = byteAt(bit >>> 3);
      if (whole < 0) {
        throw cutShort();
      }
      value = (value << taken) | ((whole >>> (room - taken)) & ((1 << taken) - 1));
      bit += taken;
      left -= taken;
    }
    return value;
  }

  /// The first magic number that begins at a bit or after it; `null` if there is none.
  private Mark mark(long fromBit) throws IOException {
    long register = 0;
    for (long index = fromBit >>> 3; ; index++) {
      int next = byteAt(index);
      if (next < 0) {
        return null;
      }
      register = (register << 8) | next;
      for (int shift = 7; shift >= 0; shift--) {
        long value = (register >>> shift) & MAGIC_MASK;
        if (value == BLOCK_MAGIC || value == END_MAGIC) {
          long bit = 8 * (index + 1) - shift - MAGIC_BITS;
          if (bit >= fromBit) {
            return new Mark(bit, value == END_MAGIC);
          }
        }
      }
    }
  }

  /// @return -1 after the file's end
  private int byteAt(long index) throws IOException {
    long offset = index - windowStart;
    if (offset < 0 || offset >= window.limit()) {
      window.clear();
      channel.position(index);
      windowStart = index;
      while (window.hasRemaining() && channel.read(window) >= 0) {}
      window.flip();
      offset = 0;
      if (window.limit() == 0) {
        return -1;
      }
    }
    return window.get((int) offset) & 0xff;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
