package acceptance;

import io.kiln.api.DoubleRDD;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import io.kiln.api.StorageLevel;
import java.util.List;

/// What is kept once it is computed.
final class Storing {
  private Storing() {}

  static void check(KilnContext sc, Checks c) {
    levels(sc, c);
    c.group("keeping");
    StorageLevel own = new StorageLevel(true, true, false, false, 1);
    c.equal("a level of one's own", StorageLevel.MEMORY_AND_DISK_SER, () -> own);
    c.equal(
        "a level's parts",
        List.of(true, true, false, false, 1, true),
        () ->
            List.of(
                own.useDisk(),
                own.useMemory(),
                own.useOffHeap(),
                own.deserialized(),
                own.replication(),
                own.isPersistent()));
    c.holds("describe", () -> !own.describe().isEmpty());

    RDD<Integer> numbers = sc.parallelize(Data.NUMBERS, 4);
    RDD<Integer> cached = numbers.map(n -> n).cache();
    c.equal("cache", StorageLevel.MEMORY_ONLY, cached::storageLevel);
    c.holds("getPersistentRDDs", () -> sc.getPersistentRDDs().get(cached.id()) == cached);
    c.equal(
        "persist", StorageLevel.MEMORY_ONLY, () -> numbers.map(n -> n).persist().storageLevel());
    c.equal("unpersist", StorageLevel.NONE, () -> cached.unpersist().storageLevel());

    PairRDD<Integer, String> pairs = sc.parallelizePairs(Data.LEFT, 2).filter(_ -> true).cache();
    c.equal("cache of pairs", Data.LEFT, pairs::collect);
    c.equal("unpersist of pairs", Data.LEFT, () -> pairs.unpersist().collect());
    c.equal("persist of pairs", Data.LEFT, () -> pairs.persist().collect());
    c.equal("blocking unpersist of pairs", Data.LEFT, () -> pairs.unpersist(true).collect());
    c.equal(
        "persist of pairs at a level",
        Data.LEFT,
        () -> pairs.persist(StorageLevel.DISK_ONLY).collect());

    DoubleRDD decimals = sc.parallelizeDoubles(Data.DECIMALS, 2).filter(_ -> true).cache();
    c.equal("cache of numbers", Data.DECIMALS, decimals::collect);
    c.equal("unpersist of numbers", Data.DECIMALS, () -> decimals.unpersist().collect());
    c.equal("persist of numbers", Data.DECIMALS, () -> decimals.persist().collect());
    c.equal(
        "blocking unpersist of numbers", Data.DECIMALS, () -> decimals.unpersist(true).collect());
    c.equal(
        "persist of numbers at a level",
        Data.DECIMALS,
        () -> decimals.persist(StorageLevel.OFF_HEAP).collect());
  }

  private static void levels(KilnContext sc, Checks c) {
    c.group("levels");
    List<StorageLevel> levels =
        List.of(
            StorageLevel.NONE,
            StorageLevel.DISK_ONLY,
            StorageLevel.DISK_ONLY_2,
            StorageLevel.DISK_ONLY_3,
            StorageLevel.MEMORY_ONLY,
            StorageLevel.MEMORY_ONLY_2,
            StorageLevel.MEMORY_ONLY_SER,
            StorageLevel.MEMORY_ONLY_SER_2,
            StorageLevel.MEMORY_AND_DISK,
            StorageLevel.MEMORY_AND_DISK_2,
            StorageLevel.MEMORY_AND_DISK_SER,
            StorageLevel.MEMORY_AND_DISK_SER_2,
            StorageLevel.OFF_HEAP);
    for (StorageLevel level : levels) {
      RDD<Object> kept = sc.parallelize(Data.kinds(), 2).map(kind -> kind).persist(level);
      c.equal("computed for " + level.describe() + " " + level, Data.kinds(), kept::collect);
      c.equal("kept at " + level.describe() + " " + level, Data.kinds(), kept::collect);
      RDD<Pair<Integer, Long>> shuffled =
          sc.parallelizePairs(Data.RIGHT, 3).reduceByKey(Long::sum, 2).persist(level);
      c.equal("of a shuffle at " + level, shuffled.count(), shuffled::count);
      kept.unpersist(true);
      shuffled.unpersist(true);
    }
  }
}
