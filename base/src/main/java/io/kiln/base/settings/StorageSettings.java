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

  public static final Setting<Long> BROADCAST_BLOCK_SIZE =
      Setting.of(
          "spark.broadcast.blockSize",
          SettingType.size(ByteSize.Unit.KIBIBYTES, 1 << 30),
          "4m",
          "About how large the pieces are in which executors get a broadcast's value, from the"
              + " driver and from each other.");

  public static final Setting<Boolean> BROADCAST_COMPRESS =
      Setting.of(
          "spark.broadcast.compress",
          SettingType.FLAG,
          "true",
          "Whether the pieces of broadcasts are compressed.");

  public static final Setting<Boolean> BROADCAST_CHECKSUM =
      Setting.of(
          "spark.broadcast.checksum",
          SettingType.FLAG,
          "true",
          "Whether each piece of a broadcast is verified by the checksum that it had when it was"
              + " made.");

  public static final Setting<Boolean> ENCRYPTION =
      Setting.of(
          "spark.io.encryption.enabled",
          SettingType.FLAG,
          "false",
          "Whether map outputs, spilled data, serialised blocks and pieces of broadcasts are"
              + " encrypted, by AES-GCM and a key that is made for each run of the application.");

  public static final Setting<String> ENCRYPTION_KEY_BITS =
      Setting.of(
          "spark.io.encryption.keySizeBits",
          SettingType.choice("128", "192", "256"),
          "128",
          "The length of the key of `spark.io.encryption.enabled`.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Storage",
          List.of(
              CODEC,
              RDD_COMPRESS,
              CHECKPOINT_DIRECTORY,
              SERIALIZER,
              BROADCAST_BLOCK_SIZE,
              BROADCAST_COMPRESS,
              BROADCAST_CHECKSUM,
              ENCRYPTION,
              ENCRYPTION_KEY_BITS));

  private StorageSettings() {}
}
