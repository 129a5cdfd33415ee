package io.kiln.base.settings;

import java.util.List;

/// How a standalone worker keeps what executors and drivers print.
public final class LogRollingSettings {
  public static final Setting<String> STRATEGY =
      Setting.of(
          "spark.executor.logs.rolling.strategy",
          SettingType.choice("none", "none=", "time", "size"),
          "",
          "Of a standalone worker: whether the files `stdout` and `stderr` of executors and drivers"
              + " are put aside, and new ones begun, by `time` or by `size`. Unset: one file each,"
              + " of any size.");

  public static final Setting<String> INTERVAL =
      Setting.of(
          "spark.executor.logs.rolling.time.interval",
          SettingType.TEXT,
          "daily",
          "How often files are put aside by time: `daily`, `hourly`, `minutely`, or a number of"
              + " seconds.");

  public static final Setting<Long> MAX_SIZE =
      Setting.of(
          "spark.executor.logs.rolling.maxSize",
          SettingType.size(ByteSize.Unit.BYTES),
          "1048576",
          "How large a file gets before it is put aside by size. It ends with a whole line.");

  public static final Setting<Integer> MAX_RETAINED_FILES =
      Setting.of(
          "spark.executor.logs.rolling.maxRetainedFiles",
          SettingType.count(-1),
          "-1",
          "How many files that were put aside stay, of each stream. -1 or 0: all.");

  public static final Setting<Boolean> COMPRESSION =
      Setting.of(
          "spark.executor.logs.rolling.enableCompression",
          SettingType.FLAG,
          "false",
          "Whether files that were put aside are compressed, by gzip.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Logs of executors and drivers",
          List.of(STRATEGY, INTERVAL, MAX_SIZE, MAX_RETAINED_FILES, COMPRESSION));

  private LogRollingSettings() {}
}
