package io.kiln.launcher;

/// What each option does for each cluster manager in each deploy mode: the one table of it.
///
/// Looked into only for options that were given.
public final class OptionMatrix {

  /// What becomes of an option.
  public enum Effect {
    /// It sets [#setting], or acts by itself.
    APPLIES,
    /// It has no effect there, which the user is told.
    IGNORED,
    REFUSED
  }

  private OptionMatrix() {}

  /// `a`: applies; `i`: ignored; `r`: refused; `-`: refused whatever the options, as a local driver
  /// has no cluster to run in.
  private static String row(SubmitOption option) {
    // local, local-cluster, standalone, YARN, Kubernetes; each in client, then in cluster mode
    return switch (option) {
      case EXECUTOR_CORES -> "i- i- aa aa aa";
      case DRIVER_CORES -> "i- i- ia ia ia";
      case TOTAL_EXECUTOR_CORES -> "i- i- aa ii ii";
      case NUM_EXECUTORS -> "i- i- ii aa aa";
      case QUEUE -> "i- i- ii aa ii";
      case SUPERVISE -> "i- i- ia ii ii";
      case PRINCIPAL, KEYTAB -> "a- a- ii aa aa";
      // The driver is its worker's process, whose login is no submitter's to act by.
      case PROXY_USER -> "a- a- ar aa aa";
      case PY_FILES -> "r- r- rr aa aa";
      case KILL, STATUS -> "r- r- aa aa aa";
      default -> "a- a- aa aa aa";
    };
  }

  public static Effect effect(SubmitOption option, ClusterManager manager, boolean clusterMode) {
    return switch (manager.cell(row(option), clusterMode)) {
      case 'a' -> Effect.APPLIES;
      case 'i' -> Effect.IGNORED;
      default -> Effect.REFUSED;
    };
  }

  /// The `spark.*` key that the option sets where it applies; empty where it sets none. YARN has
  /// keys of its own for what it brings to the containers.
  public static String setting(SubmitOption option, ClusterManager manager) {
    if (manager != ClusterManager.YARN) {
      return option.setting();
    }
    return switch (option) {
      case JARS -> "spark.yarn.dist.jars";
      case FILES -> "spark.yarn.dist.files";
      case ARCHIVES -> "spark.yarn.dist.archives";
      case PY_FILES -> "spark.yarn.dist.pyFiles";
      default -> option.setting();
    };
  }

  /// Why an option that was given has no effect.
  static String ignored(SubmitOption option, ClusterManager manager, boolean clusterMode) {
    boolean onlyThisMode = effect(option, manager, !clusterMode) == Effect.APPLIES;
    String mode = clusterMode ? " in cluster mode" : " in client mode";
    return "Ignoring "
        + option.spelling()
        + ": it has no effect"
        + (onlyThisMode ? mode : "")
        + " on "
        + manager.title();
  }
}
