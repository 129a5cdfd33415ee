package io.kiln.submit.cluster;

import io.kiln.launcher.OptionEffects;
import io.kiln.launcher.SubmitOption;
import java.util.Optional;

/// A kind of place where applications run: all that `spark-submit` has to know of it before it goes
/// there. Immutable.
///
/// Those of other rooms are found by [java.util.ServiceLoader], where the master is none of the
/// engine's own. Such a room also names, as an `ExecutorSourceProvider` of the driver's, where an
/// application's executors come from.
public interface ClusterManager extends OptionEffects {

  /// One word for it, as `--help` uses.
  String word();

  /// How its masters are written, for people, as in `spark://HOST:PORT`.
  String masterForm();

  /// Whether the master is meant to be one of its, by how it begins.
  boolean isMeantBy(String master);

  /// Whether a master that is meant to be one of its is one.
  boolean understands(String master);

  /// @param clusterMode whether the driver runs in the cluster
  boolean runs(ApplicationKind kind, boolean clusterMode);

  /// Why an option is refused, to follow the option.
  default String refusal(SubmitOption option, String master) {
    return option == SubmitOption.PY_FILES
        ? "is for Python programs, and only programs in jars run in this version"
        : "can't be used on " + master + ": leave it out";
  }

  /// Who starts drivers in the cluster and asks about them; empty where drivers run in the process
  /// of `spark-submit` only.
  Optional<ClusterClient> client();
}
