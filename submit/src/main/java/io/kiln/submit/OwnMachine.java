package io.kiln.submit;

import io.kiln.base.settings.LocalMaster;
import io.kiln.launcher.SubmitOption;
import io.kiln.submit.cluster.ApplicationKind;
import io.kiln.submit.cluster.ClusterClient;
import io.kiln.submit.cluster.ClusterManager;
import java.util.Optional;

/// The masters for which the engine needs no cluster: all runs on the machine of the driver.
enum OwnMachine implements ClusterManager {
  /// All in the driver's process.
  LOCAL("local", "a local master", "local, local[N], local[*], local[N,F]") {
    @Override
    public boolean isMeantBy(String master) {
      return master.startsWith("local") && !LOCAL_CLUSTER.isMeantBy(master);
    }
  },

  /// Executors in processes of their own.
  LOCAL_CLUSTER("local-cluster", "a cluster of local processes", "local-cluster[W,C,M]") {
    @Override
    public boolean isMeantBy(String master) {
      return master.startsWith("local-cluster");
    }
  };

  private final String word;
  private final String title;
  private final String masterForm;

  OwnMachine(String word, String title, String masterForm) {
    this.word = word;
    this.title = title;
    this.masterForm = masterForm;
  }

  @Override
  public String word() {
    return word;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String masterForm() {
    return masterForm;
  }

  @Override
  public boolean understands(String master) {
    return LocalMaster.parse(master).isPresent();
  }

  @Override
  public boolean runs(ApplicationKind kind, boolean clusterMode) {
    return !clusterMode;
  }

  @Override
  public Effect effect(SubmitOption option, boolean clusterMode) {
    return switch (option) {
      case EXECUTOR_CORES, DRIVER_CORES, TOTAL_EXECUTOR_CORES, NUM_EXECUTORS, QUEUE, SUPERVISE ->
          Effect.IGNORED;
      case PY_FILES, KILL, STATUS -> Effect.REFUSED;
      default -> Effect.APPLIES;
    };
  }

  @Override
  public String refusal(SubmitOption option, String master) {
    return option == SubmitOption.KILL || option == SubmitOption.STATUS
        ? "acts on a submission to a cluster, and "
            + master
            + " is none: name the cluster by --master; a local application ends with its process"
        : ClusterManager.super.refusal(option, master);
  }

  @Override
  public Optional<ClusterClient> client() {
    return Optional.empty();
  }
}
