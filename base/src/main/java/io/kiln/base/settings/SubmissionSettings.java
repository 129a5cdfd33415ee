package io.kiln.base.settings;

import java.time.Duration;
import java.util.List;

/// How `spark-submit` hands drivers to a cluster.
public final class SubmissionSettings {
  public static final Setting<Boolean> WAIT =
      Setting.of(
          "spark.standalone.submit.waitAppCompletion",
          SettingType.FLAG,
          "false",
          "Whether `spark-submit` waits for the end of a driver that it has handed to a standalone"
              + " cluster, and ends with the driver's exit code.");

  public static final Setting<Boolean> KILL_ON_INTERRUPT =
      Setting.of(
          "spark.kiln.submit.killOnInterrupt",
          SettingType.FLAG,
          "false",
          "Whether the driver is killed when you end `spark-submit` while it waits.");

  public static final Setting<Duration> MASTER_WAIT =
      Setting.of(
          "spark.kiln.submit.masterWait",
          SettingType.time(Durations.Unit.SECONDS),
          "30s",
          "How long `spark-submit` goes on asking while masters answer and none of them leads.");

  static final SettingGroup GROUP =
      new SettingGroup("Submissions to a cluster", List.of(WAIT, KILL_ON_INTERRUPT, MASTER_WAIT));

  private SubmissionSettings() {}
}
