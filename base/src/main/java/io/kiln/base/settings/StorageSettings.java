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

  public static final Setting<Long> LZ4_BLOCK_SIZE =
      Setting.of(
              "spark.io.compression.lz4.blockSize",
              SettingType.size(ByteSize.Unit.BYTES, 32L << 20),
              "32k",
              "How much lz4 compresses at once.")
          .formerly("spark.io.compression.lz4.block.size", "");

  public static final Setting<Integer> ZSTD_LEVEL =
      Setting.of(
          "spark.io.compression.zstd.level",
          SettingType.count(-7, 22),
          "1",
          "How hard zstd tries: higher is smaller and slower.");

  public static final Setting<Long> ZSTD_BUFFER_SIZE =
      Setting.of(
          "spark.io.compression.zstd.bufferSize",
          SettingType.size(ByteSize.Unit.BYTES, Integer.MAX_VALUE - 8L),
          "32k",
          "The buffer of zstd streams.");

  public static final Setting<Boolean> RDD_COMPRESS =
      Setting.of(
          "spark.rdd.compress",
          SettingType.FLAG,
          "false",
          "Whether serialised blocks of persisted RDDs are compressed.");

  public static final Setting<Boolean> BROADCAST_COMPRESS =
      Setting.of(
          "spark.broadcast.compress",
          SettingType.FLAG,
          "true",
          "Whether broadcasts are compressed when they are sent.");

  public static final Setting<Long> BROADCAST_BLOCK_SIZE =
      Setting.of(
          "spark.broadcast.blockSize",
          SettingType.size(ByteSize.Unit.KIBIBYTES, Integer.MAX_VALUE - 8L),
          "4m",
          "The pieces in which a broadcast is sent.");

  public static final Setting<Boolean> BROADCAST_CHECKSUM =
      Setting.of(
          "spark.broadcast.checksum",
          SettingType.FLAG,
          "true",
          "Whether the pieces of a broadcast carry checksums.");

  public static final Setting<Boolean> CHECKPOINT_COMPRESS =
      Setting.of(
          "spark.checkpoint.compress",
          SettingType.FLAG,
          "true",
          "Whether checkpoints are compressed.");

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

  public static final Setting<Integer> OBJECT_STREAM_RESET =
      Setting.of(
          "spark.serializer.objectStreamReset",
          SettingType.count(-1),
          "100",
          "After how many objects Java serialization forgets those that it has seen; -1: never.");

  public static final Setting<List<String>> KRYO_CLASSES =
      Setting.of(
          "spark.kryo.classesToRegister", SettingType.LIST, "", "Classes to register with Kryo.");

  public static final Setting<List<String>> KRYO_REGISTRATOR =
      Setting.of(
          "spark.kryo.registrator",
          SettingType.LIST,
          "",
          "Classes that register classes with Kryo.");

  public static final Setting<Boolean> KRYO_REGISTRATION_REQUIRED =
      Setting.of(
          "spark.kryo.registrationRequired",
          SettingType.FLAG,
          "false",
          "Whether Kryo refuses classes that are not registered.");

  public static final Setting<Boolean> KRYO_REFERENCE_TRACKING =
      Setting.of(
          "spark.kryo.referenceTracking",
          SettingType.FLAG,
          "true",
          "Whether Kryo keeps shared and cyclic references.");

  public static final Setting<Long> KRYO_BUFFER =
      Setting.of(
              "spark.kryoserializer.buffer",
              SettingType.size(ByteSize.Unit.KIBIBYTES, Integer.MAX_VALUE - 8L),
              "64k",
              "Kryo's buffer at first.")
          .formerly("spark.kryoserializer.buffer.mb", "m");

  public static final Setting<Long> KRYO_BUFFER_MAX =
      Setting.of(
              "spark.kryoserializer.buffer.max",
              SettingType.size(ByteSize.Unit.MEBIBYTES, Integer.MAX_VALUE - 8L),
              "64m",
              "How large Kryo's buffer may grow: the largest record.")
          .formerly("spark.kryoserializer.buffer.max.mb", "m");

  public static final Setting<Integer> DISK_SUBDIRECTORIES =
      Setting.of(
          "spark.diskStore.subDirectories",
          SettingType.count(1),
          "64",
          "How many directories the files in each local directory are spread over.");

  public static final Setting<Long> UNROLL_MEMORY =
      Setting.of(
          "spark.storage.unrollMemoryThreshold",
          SettingType.size(ByteSize.Unit.BYTES),
          "1m",
          "How much memory to ask for before a partition of unknown size is put into memory.");

  public static final Setting<Long> MEMORY_MAP_THRESHOLD =
      Setting.of(
          "spark.storage.memoryMapThreshold",
          SettingType.size(ByteSize.Unit.BYTES),
          "2m",
          "Blocks on disk of at least this size are mapped into memory when they are read.");

  public static final Setting<Long> MAX_PARTITION_BYTES =
      Setting.of(
          "spark.files.maxPartitionBytes",
          SettingType.size(ByteSize.Unit.BYTES),
          "128m",
          "How many bytes `binaryFiles` puts into one partition.");

  public static final Setting<Long> OPEN_COST_BYTES =
      Setting.of(
          "spark.files.openCostInBytes",
          SettingType.size(ByteSize.Unit.BYTES),
          "4m",
          "How many bytes opening a file counts for when files are put into partitions.");

  public static final Setting<Boolean> IGNORE_CORRUPT_FILES =
      Setting.of(
          "spark.files.ignoreCorruptFiles",
          SettingType.FLAG,
          "false",
          "Whether what can't be read of an input file is left out.");

  public static final Setting<Boolean> IGNORE_MISSING_FILES =
      Setting.of(
          "spark.files.ignoreMissingFiles",
          SettingType.FLAG,
          "false",
          "Whether an input file that went away is left out.");

  public static final Setting<Integer> TAKE_FIRST_PARTITIONS =
      Setting.of(
          "spark.rdd.limit.initialNumPartitions",
          SettingType.count(1),
          "1",
          "How many partitions `take` looks at first.");

  public static final Setting<Integer> TAKE_SCALE_UP =
      Setting.of(
          "spark.rdd.limit.scaleUpFactor",
          SettingType.count(2),
          "4",
          "By what factor `take` looks at more when they were not enough.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Storage",
          List.of(
              CODEC,
              LZ4_BLOCK_SIZE,
              ZSTD_LEVEL,
              ZSTD_BUFFER_SIZE,
              RDD_COMPRESS,
              BROADCAST_COMPRESS,
              BROADCAST_BLOCK_SIZE,
              BROADCAST_CHECKSUM,
              CHECKPOINT_COMPRESS,
              CHECKPOINT_DIRECTORY,
              SERIALIZER,
              OBJECT_STREAM_RESET,
              KRYO_CLASSES,
              KRYO_REGISTRATOR,
              KRYO_REGISTRATION_REQUIRED,
              KRYO_REFERENCE_TRACKING,
              KRYO_BUFFER,
              KRYO_BUFFER_MAX,
              DISK_SUBDIRECTORIES,
              UNROLL_MEMORY,
              MEMORY_MAP_THRESHOLD,
              MAX_PARTITION_BYTES,
              OPEN_COST_BYTES,
              IGNORE_CORRUPT_FILES,
              IGNORE_MISSING_FILES,
              TAKE_FIRST_PARTITIONS,
              TAKE_SCALE_UP));

  private StorageSettings() {}
}
