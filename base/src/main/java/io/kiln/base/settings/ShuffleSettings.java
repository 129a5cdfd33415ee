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

  public static final Setting<Long> SPILL_WRITE_BUFFER =
      Setting.of(
          "spark.shuffle.spill.diskWriteBufferSize",
          SettingType.size(ByteSize.Unit.BYTES, Integer.MAX_VALUE - 8L),
          "1m",
          "The buffer of a spill file that is being written.");

  public static final Setting<Integer> BYPASS_MERGE_THRESHOLD =
      Setting.of(
          "spark.shuffle.sort.bypassMergeThreshold",
          SettingType.count(0),
          "200",
          "With at most so many reduce partitions and no map-side combine, a map task need not"
              + " sort.");

  public static final Setting<Integer> SPILL_RECORDS_THRESHOLD =
      Setting.of(
          "spark.shuffle.spill.numElementsForceSpillThreshold",
          SettingType.count(1),
          "2147483647",
          "After how many records in memory a spill is forced.");

  public static final Setting<Boolean> CHECKSUM =
      Setting.of(
          "spark.shuffle.checksum.enabled",
          SettingType.FLAG,
          "true",
          "Whether shuffle blocks carry checksums (CRC32C) that are verified when they are read.");

  public static final Setting<Boolean> SYNC =
      Setting.of(
          "spark.shuffle.sync",
          SettingType.FLAG,
          "false",
          "Whether map outputs are forced to the disk before they count.");

  public static final Setting<Long> MAX_SIZE_IN_FLIGHT =
      Setting.of(
              "spark.reducer.maxSizeInFlight",
              SettingType.size(ByteSize.Unit.MEBIBYTES, Long.MAX_VALUE),
              "48m",
              "How much a reduce task fetches at once.")
          .formerly("spark.reducer.maxMbInFlight", "m");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Shuffle",
          List.of(
              COMPRESS,
              SPILL_COMPRESS,
              FILE_BUFFER,
              SPILL_WRITE_BUFFER,
              BYPASS_MERGE_THRESHOLD,
              SPILL_RECORDS_THRESHOLD,
              CHECKSUM,
              SYNC,
              MAX_SIZE_IN_FLIGHT));

  private ShuffleSettings() {}
}
