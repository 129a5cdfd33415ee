package io.kiln.programs.operations;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
import io.kiln.api.StorageLevel;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// The engines under which the contracts of the operations run, one a JVM, opened when first asked
/// for; the end of the JVM closes them.
@SuppressWarnings("ImmutableEnumChecker") // each opens its context once
enum Engines {
  TWO_SLOTS(new KilnConf(false).setMaster("local[2]")),

  /// Three executors, each in a process of its own.
  PROCESSES(new KilnConf(false).setMaster("local-cluster[3,1,256]")),

  /// Memory for a few records only: whatever can spill does.
  TINY_MEMORY(
      new KilnConf(false)
          .setMaster("local[4]")
          .set("spark.testing.memory", "64k")
          .set("spark.io.compression.codec", "zstd")
          .set("spark.rdd.compress", "true")),

  /// Memory for nothing: with each record comes a spill.
  NO_MEMORY(new KilnConf(false).setMaster("local[2]").set("spark.testing.memory", "2k")),

  JAVA_UNCOMPRESSED(
      new KilnConf(false)
          .setMaster("local[3,2]")
          .set("spark.scheduler.mode", "FAIR")
          .set("spark.serializer", "org.apache.spark.serializer.JavaSerializer")
          .set("spark.shuffle.compress", "false")
          .set("spark.shuffle.spill.compress", "false")),

  KRYO(
      new KilnConf(false)
          .setMaster("local[2]")
          .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
          .set("spark.memory.offHeap.enabled", "true")
          .set("spark.memory.offHeap.size", "8m"));

  private static final List<StorageLevel> LEVELS =
      List.of(
          StorageLevel.MEMORY_ONLY,
          StorageLevel.MEMORY_ONLY_2,
          StorageLevel.MEMORY_ONLY_SER,
          StorageLevel.MEMORY_ONLY_SER_2,
          StorageLevel.MEMORY_AND_DISK,
          StorageLevel.MEMORY_AND_DISK_2,
          StorageLevel.MEMORY_AND_DISK_SER,
          StorageLevel.MEMORY_AND_DISK_SER_2,
          StorageLevel.DISK_ONLY,
          StorageLevel.DISK_ONLY_2,
          StorageLevel.DISK_ONLY_3,
          StorageLevel.OFF_HEAP);
  private static final AtomicInteger NEXT_LEVEL = new AtomicInteger();

  private final KilnConf conf;
  private KilnContext context;

  Engines(KilnConf conf) {
    this.conf = conf.setAppName(name());
  }

  synchronized KilnContext context() {
    if (context == null) {
      context = KilnContext.create(conf);
    }
    return context;
  }

  /// Each input at the next of all levels.
  static <T, R extends RDD<T>> R persisted(R input) {
    int level = Math.floorMod(NEXT_LEVEL.getAndIncrement(), LEVELS.size());
    input.persist(LEVELS.get(level));
    return input;
  }
}
