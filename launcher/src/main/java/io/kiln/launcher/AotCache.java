package io.kiln.launcher;

import java.io.File;
import java.nio.file.Path;
import java.util.List;

/// The AOT cache of one kind of process: what a JVM loads its classes from, in a fraction of the
/// time. `bin/make-aot-caches` makes them all.
///
/// @param recorded the value of [#RECORD_VARIABLE], or empty
public record AotCache(Path directory, String name, String recorded) {
  /// The environment variable that names the cache to make at the end of such a process.
  public static final String RECORD_VARIABLE = "KILN_AOT_RECORD";

  /// The system property that tells a driver where the caches are.
  public static final String DIRECTORY_PROPERTY = "kiln.aot";

  /// The JVM options that use it, or make it.
  ///
  /// A JVM passes over a cache that doesn't fit it or the class path, and the log options keep that
  /// from being printed; but then it starts without the JDK's own cache too, so what is seen to be
  /// older than the jars isn't offered.
  ///
  /// @return empty if there is none that fits
  public List<String> options(List<String> classPath) {
    Path file = directory.resolve(name + ".aot");
    if (name.equals(recorded)) {
      return List.of(
          "-XX:AOTCacheOutput=" + file,
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-AOTRecordTraining"); // its compilations come before a short job can need them
    }
    return isCurrent(file.toFile(), classPath)
        ? List.of("-XX:AOTCache=" + file, "-Xlog:aot*=off,cds*=off")
        : List.of();
  }

  private static boolean isCurrent(File cache, List<String> classPath) {
    long made = cache.lastModified();
    if (made == 0) {
      return false;
    }
    for (String entry : classPath) {
      if (!entry.endsWith(".jar") || new File(entry).lastModified() > made) {
        return false;
      }
    }
    return true;
  }
}
