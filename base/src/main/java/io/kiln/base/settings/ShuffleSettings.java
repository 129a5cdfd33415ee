package io.kiln.base.settings;

import java.time.Duration;
import java.util.List;

/// How shuffles are written, spilled and read.
public final class ShuffleSettings {
  public static final Setting<Boolean> COMPRESS =
      Setting.of(
          "spark.shuffle.compress",
          SettingType.FLAG,
          "true",
          "Whether map outputs are compressed.");

  public static final Setting<Boolean> SPILL_COMPRESS =
      Setting.of(
          "spark.shuffle.spill.compress",
          SettingType.FLAG,
          "true",
          "Whether data spilled to disk is compressed.");

  public static final Setting<Long> FILE_BUFFER =
      Setting.of(
              "spark.shuffle.file.buffer",
              SettingType.size(ByteSize.Unit.KIBIBYTES, Integer.MAX_VALUE - 8L),
              "32k",
              "The buffer of each file that a map task writes.")
          .formerly("spark.shuffle.file.buffer.kb", "k");

  public static final Setting<Long> MAX_SIZE_IN_FLIGHT =
      Setting.of(
              "spark.reducer.maxSizeInFlight",
              SettingType.size(ByteSize.Unit.MEBIBYTES),
              "48m",
              "How many bytes of map outputs may be on their way to one task, or wait for it.")
          .formerly("spark.reducer.maxMbInFlight", "m");

  public static final Setting<Integer> MAX_REQUESTS_IN_FLIGHT =
      Setting.of(
          "spark.reducer.maxReqsInFlight",
          SettingType.count(1),
          "2147483647",
          "How many executors may send map outputs to one task at a time.");

  public static final Setting<Long> MAX_REMOTE_TO_MEMORY =
      Setting.of(
              "spark.network.maxRemoteBlockSizeFetchToMem",
              SettingType.size(ByteSize.Unit.BYTES),
              "200m",
              "Larger parts of a map output go through a file on their way from another executor to"
                  + " a task. So do those larger than an eighth of"
                  + " `spark.reducer.maxSizeInFlight`.")
          .formerly("spark.reducer.maxReqSizeShuffleToMem", "b");

  public static final Setting<Integer> FETCH_RETRIES =
      Setting.of(
          "spark.shuffle.io.maxRetries",
          SettingType.count(0),
          "3",
          "How often a task asks an executor again for its map outputs when it can't be reached,"
              + " or breaks off.");

  public static final Setting<Duration> FETCH_RETRY_WAIT =
      Setting.of(
          "spark.shuffle.io.retryWait",
          SettingType.time(Durations.Unit.SECONDS),
          "5s",
          "How long a task waits before it asks again.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Shuffle",
          List.of(
              COMPRESS,
              SPILL_COMPRESS,
              FILE_BUFFER,
              MAX_SIZE_IN_FLIGHT,
              MAX_REQUESTS_IN_FLIGHT,
              MAX_REMOTE_TO_MEMORY,
              FETCH_RETRIES,
              FETCH_RETRY_WAIT));

  private ShuffleSettings() {}
}
