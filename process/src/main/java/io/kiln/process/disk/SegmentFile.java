package io.kiln.process.disk;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/// Reads segments of files, as they are stored.
public final class SegmentFile {
  private static final int READ_AT_ONCE = 512 << 10;
  private static final int CHUNK_BYTES = 64 << 10;

  private SegmentFile() {}

  /// The bytes read are not those that were written.
  public static final class CorruptedSegment extends IOException {
    private static final long serialVersionUID = 1L;

    CorruptedSegment(String message) {
      super(message);
    }
  }

  /// The bytes, verified before one is given out: a large segment is read twice for it, the second
  /// time from the page cache.
  ///
  /// @throws CorruptedSegment if the checksum differs or the file ends early
  /// @throws java.nio.file.NoSuchFileException if the file is gone
  public static InputStream open(Path path, StoredSegment segment) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    InputStream stored;
    try {
      if (segment.length() <= READ_AT_ONCE) {
        byte[] all = new byte[(int) segment.length()];
        readFully(channel, ByteBuffer.wrap(all), segment.offset(), path);
        channel.close();
        CRC32C checksum = new CRC32C();
        checksum.update(all);
        verify(checksum, segment, path);
        stored = new ByteArrayInputStream(all);
      } else {
        verifyLarge(channel, segment, path);
        stored = new ChannelStream(channel, segment, path);
      }
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
    return stored;
  }

  /// Takes pieces of a segment.
  @FunctionalInterface
  public interface Target {
    void append(byte[] bytes, int offset, int length) throws IOException;
  }

  /// Copies the bytes, which are verified at the end only.
  ///
  /// @throws CorruptedSegment as [#open]
  public static void copy(Path path, StoredSegment segment, Target target) throws IOException {
    if (segment.length() == 0) {
      return;
    }
    CRC32C checksum = new CRC32C();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      byte[] chunk = new byte[(int) Math.min(segment.length(), CHUNK_BYTES)];
      long done = 0;
      while (done < segment.length()) {
        int length = (int) Math.min(chunk.length, segment.length() - done);
        readFully(channel, ByteBuffer.wrap(chunk, 0, length), segment.offset() + done, path);
        checksum.update(chunk, 0, length);
        target.append(chunk, 0, length);
        done += length;
      }
    }
    verify(checksum, segment, path);
  }

  private static void verifyLarge(FileChannel channel, StoredSegment segment, Path path)
      throws IOException {
    CRC32C checksum = new CRC32C();
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
    long done = 0;
    while (done < segment.length()) {
      chunk.clear().limit((int) Math.min(CHUNK_BYTES, segment.length() - done));
      int length = chunk.remaining();
      readFully(channel, chunk, segment.offset() + done, path);
      checksum.update(chunk.flip());
      done += length;
    }
    verify(checksum, segment, path);
  }

  private static void verify(CRC32C checksum, StoredSegment segment, Path path)
      throws CorruptedSegment {
    if ((int) checksum.getValue() != segment.checksum()) {
      throw new CorruptedSegment(
          path
              + " has another checksum at "
              + segment.offset()
              + " than was written, over "
              + segment.length()
              + " bytes");
    }
  }

  private static void readFully(FileChannel channel, ByteBuffer target, long offset, Path path)
      throws IOException {
    long at = offset;
    while (target.hasRemaining()) {
      int got = channel.read(target, at);
      if (got < 0) {
        throw new CorruptedSegment(path + " ends at " + at);
      }
      at += got;
    }
  }

  private static final class ChannelStream extends FilledStream {
    private final FileChannel channel;
    private final Path path;
    private long next;
    private final long end;

    ChannelStream(FileChannel channel, StoredSegment segment, Path path) {
      this.channel = channel;
      this.path = path;
      this.buffer = new byte[CHUNK_BYTES];
      this.next = segment.offset();
      this.end = segment.offset() + segment.length();
    }

    @Override
    protected boolean fill() throws IOException {
      int length = (int) Math.min(buffer.length, end - next);
      if (length <= 0) {
        close();
        return false;
      }
      if (!channel.isOpen()) {
        throw new EOFException(path + " was closed");
      }
      readFully(channel, ByteBuffer.wrap(buffer, 0, length), next, path);
      next += length;
      position = 0;
      limit = length;
      return true;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
