package io.kiln.daemon;

import io.kiln.api.KilnConf;
import io.kiln.base.settings.Settings;
import io.kiln.launcher.SettingsFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// The settings of a daemon: of a file, and over it the JVM's `spark.*` properties, such as those
/// of
/// `SPARK_MASTER_OPTS`.
public final class DaemonSettings {

  private DaemonSettings() {}

  /// @param file that is named; empty: `spark-defaults.conf` in the directory of settings, if there
  ///     is one
  /// @throws io.kiln.launcher.Refusal if the file can't be read
  public static Settings read(Optional<Path> file, Map<String, String> environment) {
    KilnConf conf = new KilnConf(false);
    Optional<Path> defaults = confDirectory(environment).map(d -> d.resolve(SettingsFile.DEFAULTS));
    file.or(() -> defaults.filter(Files::exists))
        .ifPresent(
            named ->
                SettingsFile.read(named)
                    .forEach(
                        (key, value) -> {
                          if (key.startsWith("spark.")) {
                            conf.set(key, value);
                          }
                        }));
    for (String key : System.getProperties().stringPropertyNames()) {
      if (key.startsWith("spark.")) {
        conf.set(key, System.getProperty(key));
      }
    }
    return Settings.of(conf);
  }

  private static Optional<Path> confDirectory(Map<String, String> environment) {
    String given = environment.getOrDefault("SPARK_CONF_DIR", "");
    String home = environment.getOrDefault("SPARK_HOME", "");
    if (!given.isEmpty()) {
      return Optional.of(Path.of(given));
    }
    return home.isEmpty() ? Optional.empty() : Optional.of(Path.of(home, "conf"));
  }
}
