package io.kiln.base.filesystem;

import java.util.Map;
import java.util.Optional;

/// Knows file systems besides the local one. A service: it is looked for, in the engine's jars and
/// in `jars/hadoop`, when a path is first met that is not local. Thread-safe.
///
/// Settings are those that an application has under `spark.hadoop.`, without that prefix.
public interface FileSystemProvider {

  /// @param scheme of a URI, in lower case; empty for the file system of paths that have none
  /// @return empty if it knows none for the scheme
  Optional<FileSystem> find(String scheme, Map<String, String> settings);

  /// With what another process finds what is found here: the settings and what this process's
  /// configuration files say.
  Map<String, String> complete(Map<String, String> settings);
}
