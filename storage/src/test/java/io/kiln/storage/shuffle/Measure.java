package io.kiln.storage.shuffle;

import com.sun.management.OperatingSystemMXBean;
import io.kiln.api.Aggregator;
import io.kiln.api.HashPartitioner;
import io.kiln.api.Pair;
import io.kiln.api.Partitioner;
import io.kiln.api.ShuffleDependency;
import io.kiln.storage.Ground;
import io.kiln.storage.StorageOptions;
import io.kiln.storage.TaskStorage;
import io.kiln.storage.compression.CompressionCodec;
import io.kiln.storage.compression.CompressionOptions;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Measures the hot paths by hand: `Measure [sum|words|sort|small]...`. Prints for each round the
/// process's CPU time a record, which a busy machine disturbs little, and the time on the clock;
/// the first rounds warm up.
final class Measure {
  private static final Aggregator<Long, Long> SUM =
      new Aggregator<>(value -> value, Long::sum, Long::sum);

  private Measure() {}

  public static void main(String[] what) throws Exception {
    for (String one : what) {
      switch (one) {
        case "sum" -> sum();
        case "words" -> words();
        case "sort" -> {
          for (CompressionCodec codec : CompressionCodec.values()) {
            sort(codec);
          }
        }
        case "small" -> small();
        default -> throw new IllegalArgumentException("unknown measurement " + one);
      }
    }
  }

  private static Start start() {
    return new Start(System.nanoTime(), cpuNanos());
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private record Start(long nanos, long cpuNanos) {}

  private static void report(String name, int round, long records, Start start) {
    System.out.println(
        String.format(
            Locale.ROOT,
            "%s round %d: %.1f CPU ns/record, %.2f s",
            name,
            round,
            (double) (cpuNanos() - start.cpuNanos) / records,
            (System.nanoTime() - start.nanos) / 1e9));
  }

  private static Ground ground(CompressionCodec codec) {
    return new Ground(
        options ->
            options
                .withCompression(new CompressionOptions(codec, true, true, false))
                .withMemory(StorageOptions.MemoryOptions.ofEngine(1L << 30)));
  }

  private static void sum() throws Exception {
    int records = 20_000_000;
    for (int round = 0; round < 3; round++) {
      try (Ground ground = ground(CompressionCodec.NONE);
          TaskStorage task = ground.newTask()) {
        var shuffle =
            ShuffleDependency.<Integer, Long, Long>builder(
                    Ground.source(List.of(List.<Pair<Integer, Long>>of())), new HashPartitioner(8))
                .aggregator(SUM, true)
                .build();
        ShuffleWriter<Integer, Long> writer = task.shuffleWriter(shuffle, 0);
        SplittableRandom random = new SplittableRandom(1);
        Start start = start();
        for (int i = 0; i < records; i++) {
          writer.accept(new Pair<>(random.nextInt(100_000), (long) i));
        }
        writer.commit();
        report("sum by key", round, records, start);
      }
    }
  }

  private static void words() throws Exception {
    int records = 20_000_000;
    int distinct = 187_000;
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 2; round++) {
      try (Ground ground = ground(CompressionCodec.NONE);
          TaskStorage task = ground.newTask()) {
        var map = task.combiningMap(SUM);
        Long one = 1L;
        Start start = start();
        for (int i = 0; i < records; i++) {
          int word = (int) (distinct * Math.pow(random.nextDouble(), 4));
          map.insert("w" + word, one);
        }
        long[] count = {0};
        map.results()
            .forEach(
                _ -> {
                  count[0]++;
                  return true;
                });
        report("words (" + count[0] + " distinct, making them included)", round, records, start);
      }
    }
  }

  private static final class TopBits extends Partitioner {
    private static final long serialVersionUID = 1L;

    @Override
    public int numPartitions() {
      return 8;
    }

    @Override
    public int partition(Object key) {
      return (int) (((Long) key >> 61) + 4);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof TopBits;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  private static void sort(CompressionCodec codec) throws Exception {
    int records = 4_000_000;
    for (int round = 0; round < 4; round++) {
      try (Ground ground = ground(codec)) {
        var shuffle =
            ShuffleDependency.<Long, Long, Long>builder(
                    Ground.source(
                        IntStream.range(0, 8).mapToObj(_ -> List.<Pair<Long, Long>>of()).toList()),
                    new TopBits())
                .keyOrder(Comparator.naturalOrder())
                .build();
        Start start = start();
        onTwoThreads(
            map -> {
              SplittableRandom random = new SplittableRandom(map);
              try (TaskStorage task = ground.newTask()) {
                ShuffleWriter<Long, Long> writer = task.shuffleWriter(shuffle, map);
                for (int i = 0; i < records / 8; i++) {
                  writer.accept(new Pair<>(random.nextLong(), random.nextLong()));
                }
                writer.commit();
              }
            });
        report("sort, write " + codec, round, records, start);
        onTwoThreads(
            reduce -> {
              try (TaskStorage task = ground.newTask()) {
                long[] count = {0};
                task.readShuffle(shuffle, reduce, reduce + 1)
                    .forEach(
                        _ -> {
                          count[0]++;
                          return true;
                        });
              }
            });
        report("sort, all " + codec, round, records, start);
      }
    }
  }

  private static void small() throws Exception {
    int tasks = 20_000;
    for (int round = 0; round < 3; round++) {
      try (Ground ground = ground(CompressionCodec.LZ4)) {
        var shuffle =
            ShuffleDependency.<Integer, Long>of(
                Ground.source(List.of(List.<Pair<Integer, Long>>of())), new HashPartitioner(4));
        Start start = start();
        for (int map = 0; map < tasks; map++) {
          ground.write(shuffle, map, List.of(new Pair<>(1, 1L), new Pair<>(2, 2L)));
        }
        report("small map tasks", round, tasks, start);
      }
    }
  }

  private interface Work {
    void run(int partition) throws Exception;
  }

  private static void onTwoThreads(Work work) throws Exception {
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < 2; thread++) {
      int first = thread;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int partition = first; partition < 8; partition += 2) {
                      try {
                        work.run(partition);
                      } catch (Exception e) {
                        synchronized (failures) {
                          failures.add(e);
                        }
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      throw new IllegalStateException(failures.getFirst());
    }
  }
}
