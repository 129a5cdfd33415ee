package io.kiln.base.settings;

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

  static final SettingGroup GROUP =
      new SettingGroup("Shuffle", List.of(COMPRESS, SPILL_COMPRESS, FILE_BUFFER));

  private ShuffleSettings() {}
}
