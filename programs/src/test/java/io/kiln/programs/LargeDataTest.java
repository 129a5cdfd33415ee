package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import io.kiln.api.StorageLevel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Data of a multiple of the heap, in JVMs of their own.
@Timeout(170)
class LargeDataTest {
  private static final int PARTITIONS = 8;
  private static final int RECORD_BYTES = 100;

  @TempDir Path scratch;

  /// The programs: what to do, and how many MiB of records.
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      long records = (Long.parseLong(arguments[1]) << 20) / RECORD_BYTES;
      KilnConf conf = Contexts.conf("local[2]").set("spark.local.dir", arguments[2]);
      try (KilnContext context = KilnContext.create(conf)) {
        PairRDD<Long, byte[]> pairs =
            context
                .range(0, records, 1, PARTITIONS)
                .mapToPair(x -> Pair.of(key(x), new byte[RECORD_BYTES]));
        switch (arguments[0]) {
          case "sort" -> sort(pairs);
          case "group" -> group(pairs);
          case "sum" -> sum(pairs);
          case "persist" -> persist(pairs);
          default -> throw new IllegalArgumentException(arguments[0]);
        }
      }
      System.out.println("done " + records);
    }

    private static long key(long x) {
      return new SplittableRandom(x).nextLong();
    }

    private static void require(boolean holds, String what) {
      if (!holds) {
        throw new IllegalStateException(what);
      }
    }

    private static void sort(PairRDD<Long, byte[]> pairs) {
      RDD<long[]> ends =
          pairs.sortByKey(true, PARTITIONS).mapPartitions(Program::firstLastAndCount);
      long count = 0;
      long last = Long.MIN_VALUE;
      for (long[] end : ends.collect()) {
        require(end[0] >= last, "partitions overlap");
        last = end[1];
        count += end[2];
      }
      require(count == pairs.count(), "records were lost");
    }

    private static Iterator<long[]> firstLastAndCount(Iterator<Pair<Long, byte[]>> pairs) {
      long first = Long.MAX_VALUE;
      long last = Long.MIN_VALUE;
      long count = 0;
      while (pairs.hasNext()) {
        Pair<Long, byte[]> pair = pairs.next();
        require(pair.key() >= last, "not sorted");
        require(pair.value().length == RECORD_BYTES, "a value was cut");
        last = pair.key();
        first = Math.min(first, last);
        count++;
      }
      return List.of(new long[] {first, last, count}).iterator();
    }

    private static void group(PairRDD<Long, byte[]> pairs) {
      long values =
          pairs
              .mapToPair(pair -> Pair.of(pair.key() >>> 1, pair.value()))
              .groupByKey(PARTITIONS)
              .map(
                  group -> {
                    long count = 0;
                    for (byte[] value : group.value()) {
                      count += value.length / RECORD_BYTES;
                    }
                    return count;
                  })
              .reduce(Long::sum);
      require(values == pairs.count(), "values were lost");
    }

    private static void sum(PairRDD<Long, byte[]> pairs) {
      long sums =
          pairs
              .mapToPair(pair -> Pair.of(Long.toHexString(pair.key()), 1L))
              .reduceByKey(Long::sum, PARTITIONS)
              .values()
              .reduce(Long::sum);
      require(sums == pairs.count(), "values were lost");
    }

    private static void persist(PairRDD<Long, byte[]> pairs) {
      for (StorageLevel level :
          List.of(StorageLevel.MEMORY_AND_DISK, StorageLevel.MEMORY_ONLY_SER)) {
        RDD<byte[]> kept =
            pairs
                .map(
                    pair -> {
                      byte[] record = new byte[RECORD_BYTES];
                      Arrays.fill(record, (byte) (long) pair.key());
                      return record;
                    })
                .persist(level);
        long first = kept.map(record -> (long) record[RECORD_BYTES - 1]).reduce(Long::sum);
        long second = kept.map(record -> (long) record[0]).reduce(Long::sum);
        require(first == second, "kept records differ");
        kept.unpersist();
      }
    }
  }

  private void assertRuns(String work, int mebibytes) throws Exception {
    ForkedProgram ended =
        ForkedProgram.run(
            Program.class,
            List.of("-Xmx128m"),
            work,
            Integer.toString(mebibytes),
            scratch.toString());
    assertThat(ended.exitCode()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("done");
  }

  @Test
  void sorting() throws Exception {
    assertRuns("sort", 640);
  }

  @Test
  void grouping() throws Exception {
    assertRuns("group", 200);
  }

  @Test
  void summingUp() throws Exception {
    assertRuns("sum", 100);
  }

  @Test
  void keeping() throws Exception {
    assertRuns("persist", 200);
  }
}
