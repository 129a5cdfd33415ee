package io.kiln.daemon.worker;

import io.kiln.base.settings.Settings;
import io.kiln.base.settings.WorkerSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What the processes that a worker starts have of its environment: where things are, and nothing
/// of what the worker alone is to know. Immutable.
final class ChildEnvironment {
  private static final Set<String> KEPT =
      Set.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "SHELL",
          "LANG",
          "LANGUAGE",
          "TZ",
          "TMPDIR",
          "JAVA_HOME",
          "LD_LIBRARY_PATH",
          "HADOOP_HOME",
          "HADOOP_CONF_DIR",
          "YARN_CONF_DIR",
          "KRB5_CONFIG",
          "KILN_AOT_CACHES",
          "SPARK_HOME",
          "SPARK_CONF_DIR",
          "SPARK_LOCAL_DIRS",
          "SPARK_LOCAL_IP",
          "SPARK_LOCAL_HOSTNAME",
          "SPARK_PUBLIC_DNS");
  private static final String LOCALE = "LC_";

  private final Map<String, String> kept;

  private ChildEnvironment(Map<String, String> kept) {
    this.kept = kept;
  }

  /// @param own of the worker
  static ChildEnvironment of(Settings settings, Map<String, String> own) {
    Set<String> more =
        Arrays.stream(settings.find(WorkerSettings.ENVIRONMENT).orElse("").split(",", -1))
            .map(String::trim)
            .collect(Collectors.toSet());
    Map<String, String> kept = new TreeMap<>();
    own.forEach(
        (name, value) -> {
          if (KEPT.contains(name) || name.startsWith(LOCALE) || more.contains(name)) {
            kept.put(name, value);
          }
        });
    return new ChildEnvironment(kept);
  }

  /// Gives a process this environment, and what it asked for over it.
  ///
  /// @param asked what has been checked to be names and values
  void apply(ProcessBuilder builder, List<Map<String, String>> asked) {
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.putAll(kept);
    asked.forEach(environment::putAll);
  }
}
