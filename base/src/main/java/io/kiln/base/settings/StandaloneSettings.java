package io.kiln.base.settings;

import java.util.List;

/// What the processes of a standalone cluster, and applications there, have in common.
public final class StandaloneSettings {
  public static final Setting<String> SECRET_FILE =
      Setting.optional(
          "spark.kiln.deploy.secretFile",
          SettingType.TEXT,
          "The file with the secret of a standalone cluster, of mode 600, for its masters. The"
              + " first master makes it. Unset: `~/.kiln/cluster.secret`. Not read if"
              + " `spark.authenticate.secret` or `spark.authenticate.secret.file` is set.");

  public static final Setting<String> WORKER_KEY_FILE =
      Setting.optional(
          "spark.kiln.deploy.workerKeyFile",
          SettingType.TEXT,
          "The file with the key by which a worker proves to masters that it is a worker, of"
              + " mode 600. Masters write it. Unset: `cluster.worker.key` beside the file of the"
              + " secret.");

  public static final Setting<String> SUBMIT_KEY_FILE =
      Setting.optional(
          "spark.kiln.deploy.submitKeyFile",
          SettingType.TEXT,
          "The file with the key of those who may submit to a standalone cluster, of mode 600."
              + " Masters write it. Unset: `cluster.submit.key` beside the file of the secret.");

  public static final Setting<String> DRIVER_ID =
      Setting.optional(
          "spark.kiln.driver.id",
          SettingType.TEXT,
          "The id of a driver that the cluster runs. The worker sets it.");

  public static final Setting<String> DRIVER_SECRET =
      Setting.optional(
          "spark.kiln.driver.secret",
          SettingType.TEXT,
          "The key by which a driver that the cluster runs proves to masters which driver it is."
              + " The worker sets it.");

  public static final Setting<String> RECOVERY_MODE =
      Setting.of(
          "spark.deploy.recoveryMode",
          SettingType.choice("NONE", "FILESYSTEM", "ZOOKEEPER", "RAFT", "CUSTOM"),
          "NONE",
          "Where a master keeps what must survive it, and what decides which of several masters"
              + " leads. `NONE`: nothing is kept. `FILESYSTEM`: one master keeps it in a"
              + " directory. `ZOOKEEPER`: ZooKeeper keeps it and decides. `RAFT`: the masters"
              + " keep it and decide, as a quorum. `CUSTOM`: a class of one's own.");

  public static final Setting<String> RECOVERY_DIRECTORY =
      Setting.optional(
          "spark.deploy.recoveryDirectory",
          SettingType.TEXT,
          "The directory of the modes `FILESYSTEM` and `RAFT`, on a disk of the master's own."
              + " With `FILESYSTEM`, one master at a time can use it.");

  public static final Setting<Integer> MAX_CORES =
      Setting.optional(
          "spark.cores.max",
          SettingType.count(1),
          "How many cores an application may have in a standalone cluster, all executors together."
              + " Unset: spark.deploy.defaultCores of the master.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Standalone applications and recovery",
          List.of(
              SECRET_FILE,
              WORKER_KEY_FILE,
              SUBMIT_KEY_FILE,
              DRIVER_ID,
              DRIVER_SECRET,
              RECOVERY_MODE,
              RECOVERY_DIRECTORY,
              MAX_CORES));

  private StandaloneSettings() {}
}
