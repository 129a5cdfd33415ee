package io.kiln.hadoop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/// A file that is read. Used by one thread.
final class HadoopChannel implements SeekableByteChannel {
  private static final int COPY_BYTES = 64 * 1024;

  private final FileSystem system;
  private final Path path;
  private final FSDataInputStream in;
  private boolean isOpen = true;

  /// @param in closed with this
  HadoopChannel(FileSystem system, Path path, FSDataInputStream in) {
    this.system = system;
    this.path = path;
    this.in = in;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    requireOpen();
    try {
      if (target.hasArray()) {
        int count =
            in.read(target.array(), target.arrayOffset() + target.position(), target.remaining());
        target.position(target.position() + Math.max(0, count));
        return count;
      }
      byte[] bytes = new byte[Math.min(COPY_BYTES, target.remaining())];
      int count = in.read(bytes, 0, bytes.length);
      target.put(bytes, 0, Math.max(0, count));
      return count;
    } catch (IOException e) {
      throw HadoopFailure.translated(path.toString(), e);
    }
  }

  @Override
  public long position() throws IOException {
    requireOpen();
    return in.getPos();
  }

  @Override
  public SeekableByteChannel position(long position) throws IOException {
    requireOpen();
    try {
      in.seek(position);
    } catch (IOException e) {
      throw HadoopFailure.translated(path.toString(), e);
    }
    return this;
  }

  @Override
  public long size() throws IOException {
    requireOpen();
    try {
      return system.getFileStatus(path).getLen();
    } catch (IOException e) {
      throw HadoopFailure.translated(path.toString(), e);
    }
  }

  private void requireOpen() throws ClosedChannelException {
    if (!isOpen) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public int write(ByteBuffer source) {
    throw new NonWritableChannelException();
  }

  @Override
  public SeekableByteChannel truncate(long size) {
    throw new NonWritableChannelException();
  }

  @Override
  public boolean isOpen() {
    return isOpen;
  }

  @Override
  public void close() throws IOException {
    if (isOpen) {
      isOpen = false;
      in.close();
    }
  }
}
