package io.kiln.files;

import io.kiln.api.KilnException;
import io.kiln.base.filesystem.FileSystem;
import io.kiln.base.filesystem.FileSystems;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/// Reads the lines that begin in a range of a file, decoded from UTF-8; malformed bytes become the
/// replacement character.
///
/// A line ends with `\n`, `\r\n` or `\r`, or with the file. A range that begins inside a line
/// leaves the rest of that line to the range before; so the ranges of a file together give each of
/// its lines once. A byte order mark at the file's beginning is skipped.
///
/// Line ends are searched eight bytes at a time in a buffer that ends with a line end of its own
/// making, so the search needs no other bound; what it passes also tells whether the line is all
/// ASCII. Memory is a buffer of the size of the longest line. Used by one thread.
final class LineReader implements Closeable {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long LINE_FEEDS = '\n' * ONES;
  private static final long CARRIAGE_RETURNS = '\r' * ONES;

  private static final int CHUNK_BYTES = 256 * 1024;
  private static final int BLOCK_BYTES = 4096;

  /// Read beyond the range's end at first, in the hope that its last line ends there.
  private static final int OVERHANG_BYTES = 512;
  /// Behind the limit: the line end that stops the search, and the rest of its word.
  private static final int SENTINEL_BYTES = Long.BYTES + 1;
  private static final int MAX_BUFFER_BYTES = Integer.MAX_VALUE - 8;
  /// The end of a file whose size is not known; far enough, and far from overflow.
  private static final long END_OF_STREAM = Long.MAX_VALUE / 2;

  private final String path;
  private final InputStream in;
  private long end;
  private final int maxBufferBytes;
  private byte[] buffer;
  private int position;
  private int limit;
  /// Of the buffer's first byte in the file.
  private long offset;
  private boolean atEndOfFile;
  /// Whether the line that [#findLineEnd] passed has bytes outside ASCII.
  private boolean hasHighBits;

  /// The lines of a split; of the whole file if it is compressed.
  ///
  /// @throws KilnException `INPUT_READ_FAILED`
  static LineReader open(FileSystems systems, FileSplit split) {
    try {
      FileSystem files = systems.at(split.path());
      Optional<Compression> compression = Compression.ofPath(split.path());
      if (compression.isPresent() && compression.get().isSplittable()) {
        return ofBlocks(files, split);
      }
      if (compression.isPresent()) {
        InputStream content =
            Compression.decompressed(
                split.path(), Channels.newInputStream(files.open(split.path())));
        return new LineReader(split.path(), content, 0, END_OF_STREAM, MAX_BUFFER_BYTES);
      }
      SeekableByteChannel channel = files.open(split.path());
      try {
        if (split.begin() == 0) {
          Compression.requireText(split.path(), first(channel));
        }
        channel.position(Math.max(0, split.begin() - 1));
      } catch (IOException | RuntimeException e) {
        try (channel) {
          throw e;
        }
      }
      return new LineReader(
          split.path(),
          Channels.newInputStream(channel),
          split.begin(),
          split.end(),
          MAX_BUFFER_BYTES);
    } catch (IOException e) {
      throw FileFailure.unreadable(split.path(), e);
    }
  }

  /// The lines that begin after the first byte of the range's first block, up to and with that
  /// which begins where its last block ends: no block tells whether the one before ended with a
  /// line end.
  private static LineReader ofBlocks(FileSystem files, FileSplit split) throws IOException {
    SeekableByteChannel channel = files.open(split.path());
    try {
      Bzip2SplitStream blocks = new Bzip2SplitStream(channel, split.begin(), split.end());
      return new LineReader(
          split.path(), blocks, blocks.isFromBeginning() ? 0 : 1, END_OF_STREAM, MAX_BUFFER_BYTES);
    } catch (IOException | RuntimeException e) {
      try (channel) {
        throw e;
      }
    }
  }

  private static byte[] first(SeekableByteChannel channel) throws IOException {
    ByteBuffer first = ByteBuffer.allocate(Compression.MAGIC_BYTES);
    while (first.hasRemaining() && channel.read(first) >= 0) {}
    return Arrays.copyOf(first.array(), first.position());
  }

  /// @param path for messages
  /// @param in closed with this reader; stands at the byte before `begin`, which tells whether a
  /// line begins at `begin`, or at 0
  /// @param maxBufferBytes how long a line may be, about
  LineReader(String path, InputStream in, long begin, long end, int maxBufferBytes) {
    this.path = path;
    this.in = in;
    this.end = end;
    this.maxBufferBytes = maxBufferBytes;
    this.offset = Math.max(0, begin - 1);
    long expected = end - offset + OVERHANG_BYTES + SENTINEL_BYTES;
    this.buffer = new byte[(int) Math.min(Math.min(CHUNK_BYTES, maxBufferBytes), expected)];
    this.buffer[0] = '\n';
    if (begin > 0) {
      skipLine();
    }
  }

  /// @return the next line without its end, or `null` if no more begin in the range
  String next() {
    if (offset + position >= end) {
      return null;
    }
    int found = findLineEnd();
    int begin = position;
    if (offset + begin == 0 && startsWithByteOrderMark(found)) {
      begin += 3;
    }
    if (found == limit && begin == limit) {
      return null;
    }
    String line =
        new String(
            buffer,
            begin,
            found - begin,
            hasHighBits ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    position = found == limit ? limit : afterLineEnd(found);
    return line;
  }

  private boolean startsWithByteOrderMark(int found) {
    return found >= 3
        && buffer[0] == (byte) 0xEF
        && buffer[1] == (byte) 0xBB
        && buffer[2] == (byte) 0xBF;
  }

  /// The line end at or after [#position], in the buffer together with its line and, after `\r`,
  /// the byte that follows; `limit` if the file ends first.
  private int findLineEnd() {
    int from = position;
    long highBits = 0;
    while (true) {
      byte[] bytes = buffer;
      int at = from;
      long ends;
      while (true) {
        long word = (long) WORD.get(bytes, at);
        ends = lineEnds(word);
        if (ends != 0) {
          int distance = Long.numberOfTrailingZeros(ends) >>> 3;
          highBits |= word & ((1L << (distance << 3)) - 1);
          at += distance;
          break;
        }
        highBits |= word;
        at += Long.BYTES;
      }
      boolean complete = at < limit && (bytes[at] == '\n' || at + 1 < limit);
      if (complete || atEndOfFile) {
        hasHighBits = (highBits & HIGH_BITS) != 0;
        return Math.min(at, limit);
      }
      int scanned = Math.min(at, limit) - position;
      fill();
      from = position + scanned;
    }
  }

  /// The high bit of each byte that is a line end; exact up to the lowest.
  private static long lineEnds(long word) {
    long lineFeeds = word ^ LINE_FEEDS;
    long carriageReturns = word ^ CARRIAGE_RETURNS;
    return (((lineFeeds - ONES) & ~lineFeeds) | ((carriageReturns - ONES) & ~carriageReturns))
        & HIGH_BITS;
  }

  private int afterLineEnd(int found) {
    boolean isPair = buffer[found] == '\r' && found + 1 < limit && buffer[found + 1] == '\n';
    return found + (isPair ? 2 : 1);
  }

  /// Passes over the rest of a line without keeping it.
  private void skipLine() {
    while (offset + position < end) {
      int at = position;
      while (at < limit && buffer[at] != '\n' && buffer[at] != '\r') {
        at++;
      }
      position = at;
      if (at < limit && (buffer[at] == '\n' || at + 1 < limit || atEndOfFile)) {
        position = afterLineEnd(at);
        return;
      }
      if (atEndOfFile) {
        return;
      }
      fill();
    }
  }

  /// Reads on, keeping what follows [#position].
  private void fill() {
    int kept = limit - position;
    System.arraycopy(buffer, position, buffer, 0, kept);
    offset += position;
    position = 0;
    limit = kept;
    int room = buffer.length - SENTINEL_BYTES - limit;
    if (room == 0) {
      grow();
      room = buffer.length - SENTINEL_BYTES - limit;
    }
    long toEnd = end - offset - limit;
    long useful = toEnd > 0 ? toEnd + OVERHANG_BYTES : Math.max(BLOCK_BYTES, limit);
    try {
      int count = in.read(buffer, limit, (int) Math.min(room, useful));
      if (count < 0) {
        atEndOfFile = true;
      } else {
        limit += count;
      }
      if (in instanceof Bzip2SplitStream blocks && blocks.rangeBytes() >= 0) {
        end = blocks.rangeBytes() == 0 ? 0 : blocks.rangeBytes() + 1;
      }
    } catch (IOException e) {
      throw FileFailure.unreadable(path, e);
    }
    buffer[limit] = '\n';
  }

  private void grow() {
    if (buffer.length >= maxBufferBytes) {
      throw FileFailure.lineTooLong(path, offset);
    }
    long doubled = Math.max(CHUNK_BYTES, 2L * buffer.length);
    buffer = Arrays.copyOf(buffer, (int) Math.min(maxBufferBytes, doubled));
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw FileFailure.unreadable(path, e);
    }
  }
}
