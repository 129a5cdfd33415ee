package io.kiln.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;

/// A file of an input, opened in the task that reads it.
public interface BinaryFile extends Serializable {

  /// Returns its full path or URI.
  String path();

  /// Opens the file. The caller closes the stream.
  InputStream open() throws IOException;

  /// Returns the whole content, which has at most 2 GiB.
  default byte[] readAllBytes() throws IOException {
    try (InputStream in = open()) {
      return in.readAllBytes();
    }
  }
}
