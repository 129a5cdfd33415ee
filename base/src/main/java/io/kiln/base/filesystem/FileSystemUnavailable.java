package io.kiln.base.filesystem;

import java.io.IOException;

/// A file system that can't be used now, whatever the path: its server does not answer, say. The
/// message is one line that says why and what to do.
public final class FileSystemUnavailable extends IOException {
  public FileSystemUnavailable(String message) {
    super(message);
  }
}
