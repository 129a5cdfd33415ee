package io.kiln.launcher;

import java.util.Map;
import java.util.Optional;

/// A process of a standalone cluster.
///
/// @param mainClass of the engine
/// @param optionsVariable of the environment: more options of its JVM
record Daemon(String mainClass, String optionsVariable) {
  private static final Map<String, Daemon> BY_ALIAS =
      Map.of(
          "org.apache.spark.deploy.master.Master",
          new Daemon("io.kiln.daemon.master.MasterMain", "SPARK_MASTER_OPTS"),
          "org.apache.spark.deploy.worker.Worker",
          new Daemon("io.kiln.daemon.worker.WorkerMain", "SPARK_WORKER_OPTS"));

  /// @param alias as people and scripts call the main class
  static Optional<Daemon> named(String alias) {
    return Optional.ofNullable(BY_ALIAS.get(alias));
  }
}
