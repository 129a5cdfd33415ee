package io.kiln.bench.chaos;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// The application that mishaps meet: `ChaosJob OUTPUT SEED`. It takes about a minute on two cores,
/// with shuffles, a persisted RDD and a join, and saves a text that only depends on the seed.
///
/// Exit code 1 when a result is wrong.
final class ChaosJob {
  private static final int KEYS = 97;
  private static final int PARTITIONS = 12;
  private static final int NUMBERS_IN_PARTITION = 2_000;
  private static final int ROUNDS = 40;
  private static final long TASK_MILLIS = 150;
  private static final long VALUE_MILLIS = 25;

  private ChaosJob() {}

  public static void main(String[] arguments) {
    String output = arguments[0];
    int seed = Integer.parseInt(arguments[1]);
    try (KilnContext context = KilnContext.create(new KilnConf().setAppName("chaos-" + seed))) {
      PairRDD<Integer, Long> sums = sums(context, seed).persist();
      Map<Integer, Long> expected = expectedSums(seed);
      for (int round = 0; round < ROUNDS; round++) {
        long shift = round;
        Map<Integer, Long> found =
            new TreeMap<>(
                sums.mapValues(
                        sum -> {
                          Thread.sleep(VALUE_MILLIS);
                          return sum + shift;
                        })
                    .join(sums)
                    .mapValues(both -> both.key() - shift)
                    .collectAsMap());
        if (!found.equals(expected)) {
          System.err.println("wrong in round " + round + ": " + found);
          System.exit(1);
        }
      }
      sums.sortByKey(true, 4).map(sum -> sum.key() + " " + sum.value()).saveAsTextFile(output);
    }
  }

  private static PairRDD<Integer, Long> sums(KilnContext context, int seed) {
    return context
        .parallelize(IntStream.range(0, PARTITIONS).boxed().toList(), PARTITIONS)
        .mapPartitionsToPair(
            partitions -> {
              Thread.sleep(TASK_MILLIS);
              int partition = partitions.next();
              return IntStream.range(0, NUMBERS_IN_PARTITION)
                  .mapToObj(i -> numbered(seed, partition, i))
                  .iterator();
            })
        .reduceByKey(Long::sum, 6);
  }

  private static Pair<Integer, Long> numbered(int seed, int partition, int i) {
    long number = (long) partition * NUMBERS_IN_PARTITION + i;
    return Pair.of((int) (number % KEYS), number * 31 + seed);
  }

  private static Map<Integer, Long> expectedSums(int seed) {
    Map<Integer, Long> sums = new TreeMap<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      for (int i = 0; i < NUMBERS_IN_PARTITION; i++) {
        Pair<Integer, Long> pair = numbered(seed, partition, i);
        sums.merge(pair.key(), pair.value(), Long::sum);
      }
    }
    return sums;
  }

  /// Whether the directory holds what the application with this seed saves.
  static boolean isRight(Path output, int seed) throws IOException {
    if (!Files.exists(output.resolve("_SUCCESS"))) {
      return false;
    }
    Map<Integer, Long> found = new TreeMap<>();
    int lines = 0;
    try (var files = Files.list(output)) {
      for (Path file : files.toList()) {
        if (file.getFileName().toString().startsWith("part-")) {
          for (String line : Files.readAllLines(file)) {
            List<String> words = List.of(line.split(" "));
            found.put(Integer.valueOf(words.getFirst()), Long.valueOf(words.getLast()));
            lines++;
          }
        }
      }
    }
    return lines == KEYS && found.equals(expectedSums(seed));
  }
}
