package io.kiln.executor.process;

import io.kiln.base.resource.FileTree;
import io.kiln.process.ProcessDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/// The directory that is there for this process alone, where whoever started it has made one. It is
/// removed by whoever made it, or by this process once nobody else is left to do that.
final class OwnDirectory {
  /// What lies beside executors' own directories.
  private static final Set<String> OF_DRIVER =
      Set.of(ExecutorMain.DRIVER_DIRECTORY, ProcessDirectory.LOCK);

  private OwnDirectory() {}

  /// Removes it if the driver is gone, and with the last of them the directory around them.
  static void removeIfAbandoned(Map<String, String> environment, ProcessEnd end)
      throws IOException {
    String path = environment.get(ExecutorMain.OWN_DIRECTORY_VARIABLE);
    if (path == null || !end.isForLossOfDriver()) {
      return;
    }
    Path own = Path.of(path);
    FileTree.remove(own);
    String[] others = own.getParent().toFile().list((_, name) -> !OF_DRIVER.contains(name));
    if (others != null && others.length == 0) {
      FileTree.remove(own.getParent());
    }
  }
}
