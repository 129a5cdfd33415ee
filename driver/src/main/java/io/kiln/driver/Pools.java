package io.kiln.driver;

import io.kiln.api.KilnException;
import io.kiln.base.settings.SchedulerSettings;
import io.kiln.base.settings.Settings;
import io.kiln.scheduler.PoolSpec;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Finds the configured pools.
final class Pools {
  private static final String DEFAULT_FILE = "fairscheduler.xml";

  private Pools() {}

  /// From `spark.scheduler.allocation.file`, else from `fairscheduler.xml` on the class path, else
  /// none.
  ///
  /// @throws KilnException `SETTING_INVALID` if the file can't be read
  static List<PoolSpec> find(Settings settings, ClassLoader loader) {
    Optional<String> file = settings.find(SchedulerSettings.ALLOCATION_FILE);
    return file.isPresent() ? fromFile(file.get()) : fromClassPath(loader);
  }

  private static List<PoolSpec> fromFile(String file) {
    Path path = file.startsWith("file:") ? Path.of(URI.create(file)) : Path.of(file);
    try (InputStream in = Files.newInputStream(path)) {
      return PoolFile.read(in, file);
    } catch (IOException e) {
      throw new KilnException(
          "SETTING_INVALID",
          KilnException.Kind.USER,
          "spark.scheduler.allocation.file is "
              + file
              + ", which can't be read ("
              + e.getClass().getSimpleName()
              + "); give the path of a readable file of pools",
          e);
    }
  }

  private static List<PoolSpec> fromClassPath(ClassLoader loader) {
    try (InputStream in = loader.getResourceAsStream(DEFAULT_FILE)) {
      return in == null ? List.of() : PoolFile.read(in, DEFAULT_FILE);
    } catch (IOException e) {
      throw new KilnException(
          "SETTING_INVALID",
          KilnException.Kind.USER,
          DEFAULT_FILE + " on the class path can't be read: " + e,
          e);
    }
  }
}
