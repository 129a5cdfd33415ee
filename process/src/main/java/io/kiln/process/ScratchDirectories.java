package io.kiln.process;

import io.kiln.api.KilnException;
import io.kiln.base.settings.ApplicationSettings;
import io.kiln.base.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Where the application may write on this machine.
///
/// @param roots at least one, each writable when it was looked at
public record ScratchDirectories(List<Path> roots) {

  /// The environment's `SPARK_LOCAL_DIRS`, else `spark.local.dir`, else the JVM's temporary
  /// directory. Those that can't be written to are left out as long as one can.
  ///
  /// @param fromEnvironment the value of `SPARK_LOCAL_DIRS`, if it is set
  /// @throws KilnException `LOCAL_DIR_UNUSABLE`
  public static ScratchDirectories find(Settings settings, Optional<String> fromEnvironment) {
    List<String> wanted = wanted(settings, fromEnvironment);
    List<Path> usable = new ArrayList<>(wanted.size());
    List<String> refused = new ArrayList<>();
    for (String name : wanted) {
      Path directory = Path.of(name.trim());
      String obstacle = obstacle(directory);
      if (obstacle.isEmpty()) {
        usable.add(directory);
      } else {
        refused.add(directory + " " + obstacle);
      }
    }
    if (usable.isEmpty()) {
      throw new KilnException(
          "LOCAL_DIR_UNUSABLE",
          KilnException.Kind.USER,
          "no scratch directory can be used: "
              + String.join("; ", refused)
              + "; set spark.local.dir to a directory that can be written to");
    }
    return new ScratchDirectories(List.copyOf(usable));
  }

  private static List<String> wanted(Settings settings, Optional<String> fromEnvironment) {
    if (fromEnvironment.isPresent() && !fromEnvironment.get().isBlank()) {
      return List.of(fromEnvironment.get().split(","));
    }
    Optional<List<String>> configured = settings.find(ApplicationSettings.LOCAL_DIRECTORIES);
    return configured.isPresent() && !configured.get().isEmpty()
        ? configured.get()
        : List.of(System.getProperty("java.io.tmpdir"));
  }

  private static String obstacle(Path directory) {
    if (!Files.exists(directory)) {
      try {
        Files.createDirectories(directory, ProcessDirectory.OWNER_ONLY);
      } catch (IOException e) {
        return "can't be created (" + e + ")";
      }
    }
    if (!Files.isDirectory(directory)) {
      return "is not a directory";
    }
    return Files.isWritable(directory) ? "" : "is not writable";
  }
}
