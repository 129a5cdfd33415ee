package io.kiln.base.settings;

import java.util.List;

/// How blocks, broadcasts and checkpoints are kept, serialised and compressed.
public final class StorageSettings {
  public static final Setting<String> CODEC =
      Setting.of(
          "spark.io.compression.codec",
          SettingType.choice(
              "lz4",
              "lz4=org.apache.spark.io.LZ4CompressionCodec",
              "zstd",
              "zstd=org.apache.spark.io.ZStdCompressionCodec"),
          "lz4",
          "What compresses shuffle data, spilled data, blocks and broadcasts.");

  public static final Setting<Boolean> RDD_COMPRESS =
      Setting.of(
          "spark.rdd.compress",
          SettingType.FLAG,
          "false",
          "Whether serialised blocks of persisted RDDs are compressed.");

  public static final Setting<String> CHECKPOINT_DIRECTORY =
      Setting.optional(
          "spark.checkpoint.dir",
          SettingType.TEXT,
          "The directory of checkpoints, until the context is told another.");

  public static final Setting<String> SERIALIZER =
      Setting.of(
          "spark.serializer",
          SettingType.choice(
              "auto",
              "java",
              "java=org.apache.spark.serializer.JavaSerializer",
              "kryo",
              "kryo=org.apache.spark.serializer.KryoSerializer"),
          "auto",
          "What serialises records. `auto`: own codecs for common JDK types, records and pairs,"
              + " Kryo for the rest. Functions are always serialised by Java.");

  static final SettingGroup GROUP =
      new SettingGroup("Storage", List.of(CODEC, RDD_COMPRESS, CHECKPOINT_DIRECTORY, SERIALIZER));

  private StorageSettings() {}
}
