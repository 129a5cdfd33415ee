package io.kiln.base.filesystem;

import java.util.List;

/// A range of a file's bytes that lies as a whole on each of some hosts.
///
/// @param hosts their names and addresses
public record FileBlock(long offset, long sizeBytes, List<String> hosts) {
  public FileBlock {
    hosts = List.copyOf(hosts);
  }
}
