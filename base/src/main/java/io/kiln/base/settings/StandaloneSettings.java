package io.kiln.base.settings;

import java.util.List;

/// What the processes of a standalone cluster, and applications there, have in common.
public final class StandaloneSettings {
  public static final Setting<String> SECRET_FILE =
      Setting.optional(
          "spark.kiln.deploy.secretFile",
          SettingType.TEXT,
          "The file with the secret of a standalone cluster, of mode 600, for its masters; the"
              + " first makes it. Unset: `~/.kiln/cluster.secret`. Not read where"
              + " spark.authenticate.secret or spark.authenticate.secret.file is set.");

  public static final Setting<String> WORKER_KEY_FILE =
      Setting.optional(
          "spark.kiln.deploy.workerKeyFile",
          SettingType.TEXT,
          "The file with the key by which a worker shows masters that it is one, of mode 600;"
              + " masters write it. Unset: beside the file of the secret, as"
              + " `~/.kiln/cluster.worker.key`.");

  public static final Setting<String> SUBMIT_KEY_FILE =
      Setting.optional(
          "spark.kiln.deploy.submitKeyFile",
          SettingType.TEXT,
          "The file with the key of those who may submit to a standalone cluster, of mode 600;"
              + " masters write it. Unset: beside the file of the secret, as"
              + " `~/.kiln/cluster.submit.key`.");

  public static final Setting<String> DRIVER_ID =
      Setting.optional(
          "spark.kiln.driver.id",
          SettingType.TEXT,
          "Which driver this is, of those that the cluster runs. The worker sets it.");

  public static final Setting<String> DRIVER_SECRET =
      Setting.optional(
          "spark.kiln.driver.secret",
          SettingType.TEXT,
          "By which a driver that the cluster runs shows masters which driver it is. The worker"
              + " sets it.");

  public static final Setting<String> RECOVERY_MODE =
      Setting.of(
          "spark.deploy.recoveryMode",
          SettingType.choice("NONE", "FILESYSTEM", "ZOOKEEPER", "RAFT", "CUSTOM"),
          "NONE",
          "Where a master keeps what must survive it, and who decides which of several leads:"
              + " nowhere; a directory, for one master; ZooKeeper; the masters themselves, as a"
              + " quorum; or a class of one's own.");

  public static final Setting<String> RECOVERY_DIRECTORY =
      Setting.optional(
          "spark.deploy.recoveryDirectory",
          SettingType.TEXT,
          "The directory of the modes FILESYSTEM and RAFT, on a disk of the master's own. One"
              + " master at a time can use it for FILESYSTEM.");

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
