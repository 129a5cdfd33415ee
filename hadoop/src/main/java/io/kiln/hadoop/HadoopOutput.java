package io.kiln.hadoop;

import java.io.IOException;
import java.io.OutputStream;

/// A file that is written. Used by one thread.
final class HadoopOutput extends OutputStream {
  private final String path;
  private final OutputStream out;

  /// @param out closed with this
  HadoopOutput(String path, OutputStream out) {
    this.path = path;
    this.out = out;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw HadoopFailure.translated(path, e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      out.close();
    } catch (IOException e) {
      throw HadoopFailure.translated(path, e);
    }
  }
}
