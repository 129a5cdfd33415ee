package io.kiln.base.filesystem;

import java.util.List;

/// What was at a path when it was looked up.
///
/// @param path absolute, as [FileSystem] describes it
/// @param sizeBytes of a file
/// @param blockBytes as much of a file as lies in one place
/// @param blocks where the parts of a file lie; empty if that makes no difference
public record FileStatus(
    String path, boolean isDirectory, long sizeBytes, long blockBytes, List<FileBlock> blocks) {
  public FileStatus {
    blocks = List.copyOf(blocks);
  }
}
