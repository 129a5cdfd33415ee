package io.kiln.process.disk;

import io.kiln.api.KilnException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;

/// Writes one new file from front to back, or appends to one. Used by one thread.
///
/// The file is made when the buffer is full for the first time or at [#close]: a small file costs
/// one open, one write and one close. [#abort] undoes what was written.
public final class DiskFileWriter implements Closeable {
  private static final int FIRST_BUFFER_BYTES = 4096;

  private final Path path;
  private final long start;
  private final int bufferBytes;
  private byte[] buffer;
  private int buffered;
  private long flushed;
  private long writeNanos;
  private FileChannel channel;
  private boolean closed;

  /// Of a file that must not exist yet.
  public DiskFileWriter(Path path, int bufferBytes) {
    this(path, 0, bufferBytes);
  }

  /// @param start what the file has already; it must exist if that isn't 0, and must not otherwise
  public DiskFileWriter(Path path, long start, int bufferBytes) {
    this.path = path;
    this.start = start;
    this.flushed = start;
    this.bufferBytes = bufferBytes;
    this.buffer = new byte[Math.min(FIRST_BUFFER_BYTES, bufferBytes)];
  }

  public Path path() {
    return path;
  }

  /// How long the file is with what was written so far.
  public long position() {
    return flushed + buffered;
  }

  /// How long the file system has taken so far.
  public long writeNanos() {
    return writeNanos;
  }

  /// @throws KilnException with code `DISK_FULL`
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (length > buffer.length - buffered) {
      if (length + buffered <= bufferBytes) {
        buffer = Arrays.copyOf(buffer, Math.min(bufferBytes, 2 * (length + buffered)));
      } else {
        flush();
        writeLarge(bytes, offset, length);
        return;
      }
    }
    System.arraycopy(bytes, offset, buffer, buffered, length);
    buffered += length;
  }

  /// Small writes are copied, large ones go to the file as they are.
  private void writeLarge(byte[] bytes, int offset, int length) throws IOException {
    int at = offset;
    int end = offset + length;
    while (end - at > bufferBytes) {
      writeOut(bytes, at, bufferBytes);
      at += bufferBytes;
    }
    if (end - at > buffer.length) {
      buffer = new byte[bufferBytes];
    }
    System.arraycopy(bytes, at, buffer, 0, end - at);
    buffered = end - at;
  }

  public void writeInt(int value) throws IOException {
    write(
        new byte[] {(byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value},
        0,
        4);
  }

  private void flush() throws IOException {
    writeOut(buffer, 0, buffered);
    buffered = 0;
  }

  private void writeOut(byte[] bytes, int offset, int length) throws IOException {
    long begin = System.nanoTime();
    try {
      if (channel == null) {
        channel = open();
      }
      ByteBuffer source = ByteBuffer.wrap(bytes, offset, length);
      while (source.hasRemaining()) {
        int _ = channel.write(source);
      }
      flushed += length;
    } catch (IOException e) {
      throw explain(e, length);
    } finally {
      writeNanos += System.nanoTime() - begin;
    }
  }

  private FileChannel open() throws IOException {
    return start == 0
        ? FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)
        : FileChannel.open(path, StandardOpenOption.WRITE).position(start);
  }

  private IOException explain(IOException e, int length) {
    String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (message.contains("no space left")
        || message.contains("quota exceeded")
        || message.contains("not enough space")) {
      throw new KilnException(
          "DISK_FULL",
          KilnException.Kind.RESOURCES,
          "disk full: "
              + path
              + " needed "
              + length
              + " more bytes after "
              + flushed
              + " and "
              + freeBytes()
              + " were free; free space there, or set spark.local.dir to a larger disk",
          e);
    }
    return e;
  }

  private String freeBytes() {
    try {
      return Long.toString(Files.getFileStore(path.getParent()).getUsableSpace());
    } catch (IOException e) {
      return "an unknown number";
    }
  }

  /// Completes the file. Idempotent.
  @Override
  public void close() throws IOException {
    if (!closed) {
      flush();
      closed = true;
      buffer = new byte[0];
      channel.close();
    }
  }

  /// Drops the file, or cuts off what was appended. Does nothing after a close; may be called
  /// again.
  public void abort() {
    if (!closed) {
      closed = true;
      buffer = new byte[0];
      buffered = 0;
      if (channel != null) {
        try (FileChannel written = channel) {
          written.truncate(start);
        } catch (IOException e) {
          // nobody reads what is beyond
        }
        if (start == 0) {
          LocalDirectories.removeFile(path);
        }
      }
    }
  }
}
