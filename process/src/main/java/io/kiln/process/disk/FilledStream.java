package io.kiln.process.disk;

import java.io.IOException;
import java.io.InputStream;

/// A stream over a buffer that a subclass fills again and again. Used by one thread.
public abstract class FilledStream extends InputStream {
  /// What is left to read are the bytes from [#position] to [#limit].
  protected byte[] buffer = new byte[0];

  protected int position;
  protected int limit;

  /// Called when nothing is left: fills the buffer with a byte at least.
  ///
  /// @return false at the end
  protected abstract boolean fill() throws IOException;

  @Override
  public final int read() throws IOException {
    return position == limit && !fill() ? -1 : buffer[position++] & 0xff;
  }

  @Override
  public final int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (position == limit && !fill()) {
      return -1;
    }
    int count = Math.min(length, limit - position);
    System.arraycopy(buffer, position, target, offset, count);
    position += count;
    return count;
  }
}
