package io.kiln.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;

/// A file of an input, opened in the task that reads it.
public interface BinaryFile extends Serializable {

  /// Its full path or URI.
  String path();

  /// To be closed by the caller.
  InputStream open() throws IOException;

  /// The whole content; at most 2 GiB.
  default byte[] readAllBytes() throws IOException {
    try (InputStream in = open()) {
      return in.readAllBytes();
    }
  }
}
