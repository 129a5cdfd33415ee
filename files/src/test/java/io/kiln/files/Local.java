package io.kiln.files;

import io.kiln.base.filesystem.FileStatus;
import io.kiln.base.filesystem.FileSystems;
import io.kiln.base.filesystem.LocalFileSystem;
import java.util.List;
import java.util.Map;

/// Local files, as the driver sees them.
final class Local {
  static final FileSystems FILES = FileSystems.of(Map.of(), Local.class.getClassLoader());

  private Local() {}

  static FileStatus file(String path, long sizeBytes) {
    return file(path, sizeBytes, LocalFileSystem.BLOCK_BYTES);
  }

  static FileStatus file(String path, long sizeBytes, long blockBytes) {
    return new FileStatus(path, false, sizeBytes, blockBytes, List.of());
  }
}
