package io.kiln.storage.remote;

import io.kiln.api.HashPartitioner;
import io.kiln.api.Pair;
import io.kiln.api.Partitioner;
import io.kiln.api.ShuffleDependency;
import io.kiln.network.transport.ContentStream;
import io.kiln.shuffle.server.ShuffleRequest.FetchShuffle;
import io.kiln.storage.Ground;
import io.kiln.storage.TaskStorage;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Measures fetches between executors in one process. Not a test; run by hand with `large` (one
/// stream), `small` (very many small segments), nothing (both), or `broadcast` and the number of
/// executors.
final class RemoteMeasure {
  private static final int SIDE = 1_000;
  private static final int TASKS_AT_ONCE = 2;

  private RemoteMeasure() {}

  public static void main(String[] arguments) throws Exception {
    for (int round = 0; round < 2; round++) {
      for (boolean secured : new boolean[] {false, true}) {
        if (arguments.length == 0 || arguments[0].equals("large")) {
          large(secured);
        }
        if (arguments.length == 0 || arguments[0].equals("small")) {
          small(secured);
        }
        if (arguments.length == 2 && arguments[0].equals("broadcast")) {
          broadcast(secured, Integer.parseInt(arguments[1]));
        }
      }
    }
  }

  /// With the smallest heap in which it works, shows how many copies there are.
  private static void broadcast(boolean secured, int executors) throws Exception {
    byte[] value = new byte[256 << 20];
    new Random(1).nextBytes(value);
    try (Cluster cluster = new Cluster(1 + executors, secured, 4 << 20);
        ExecutorService tasks = Executors.newFixedThreadPool(executors)) {
      long start = System.nanoTime();
      cluster.nodes.getFirst().storage.shared().publish(1, value);
      say(secured, "publishing", value.length, start);
      start = System.nanoTime();
      List<Future<Integer>> lengths = new ArrayList<>();
      for (Cluster.Node node : cluster.nodes.subList(1, 1 + executors)) {
        lengths.add(tasks.submit(() -> ((byte[]) node.storage.shared().value(1)).length));
      }
      for (Future<Integer> length : lengths) {
        if (length.get() != value.length) {
          throw new IllegalStateException("a value of " + length.get() + " bytes came");
        }
      }
      System.out.printf(
          "TLS %s: 256 MB to %d executors in %d ms, most heap used %d MB%n",
          secured, executors, (System.nanoTime() - start) / 1_000_000, mostHeapBytes() >> 20);
    }
  }

  private static long mostHeapBytes() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .mapToLong(pool -> pool.getPeakUsage().getUsed())
        .sum();
  }

  private static void large(boolean secured) throws Exception {
    ShuffleDependency<Integer, byte[], byte[]> shuffle =
        ShuffleDependency.<Integer, byte[], byte[]>builder(
                Ground.source(List.of(List.<Pair<Integer, byte[]>>of())), new HashPartitioner(1))
            .build();
    byte[] value = new byte[1 << 20];
    new Random(1).nextBytes(value);
    try (Cluster cluster = new Cluster(2, secured)) {
      Cluster.Node holder = cluster.nodes.get(1);
      holder.write(shuffle, 0, Collections.nCopies(1_000, new Pair<>(1, value)));
      for (int round = 0; round < 2; round++) {
        long start = System.nanoTime();
        FetchShuffle request = new FetchShuffle(shuffle.shuffleId(), new int[] {0}, 0, 1);
        byte[] buffer = new byte[256 << 10];
        long bytes = 0;
        try (ContentStream stream =
            cluster.nodes.get(0).transport.open(holder.self.address(), request)) {
          for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
            bytes += count;
          }
        }
        say(secured, "one stream", bytes, start);
      }
      long start = System.nanoTime();
      long[] read = {0};
      try (TaskStorage task = cluster.nodes.get(0).newTask()) {
        task.<Integer, byte[]>readShuffle(shuffle, 0, 1)
            .forEach(
                pair -> {
                  read[0] += pair.value().length;
                  return true;
                });
      }
      say(secured, "one task, through a file", read[0], start);
    }
  }

  private static void small(boolean secured) throws Exception {
    Partitioner partitioner = new HashPartitioner(SIDE);
    ShuffleDependency<Integer, Integer, Integer> shuffle =
        ShuffleDependency.<Integer, Integer, Integer>builder(
                Ground.source(Collections.nCopies(SIDE, List.<Pair<Integer, Integer>>of())),
                partitioner)
            .build();
    List<Pair<Integer, Integer>> records = new ArrayList<>();
    for (int i = 0; i < 4 * SIDE; i++) {
      records.add(new Pair<>(i, i));
    }
    try (Cluster cluster = new Cluster(2, secured)) {
      long start = System.nanoTime();
      for (int map = 0; map < SIDE; map++) {
        cluster.nodes.get(1).write(shuffle, map, records);
      }
      System.out.printf("%d map outputs in %d ms%n", SIDE, (System.nanoTime() - start) / 1_000_000);
      for (int reader = 0; reader < 2; reader++) {
        start = System.nanoTime();
        Cluster.Node node = cluster.nodes.get(reader);
        List<Future<Integer>> tasks = new ArrayList<>();
        try (ExecutorService slots = Executors.newFixedThreadPool(TASKS_AT_ONCE)) {
          for (int reduce = 0; reduce < SIDE; reduce++) {
            int partition = reduce;
            tasks.add(slots.submit(() -> node.read(shuffle, partition, partition + 1).size()));
          }
          for (Future<Integer> task : tasks) {
            if (task.get() != 4 * SIDE) {
              throw new IllegalStateException("a task read " + task.get() + " records");
            }
          }
        }
        System.out.printf(
            "TLS %s: %d x %d segments %s in %d ms, heap used %d MB%n",
            secured,
            SIDE,
            SIDE,
            reader == 0 ? "from another" : "of one's own",
            (System.nanoTime() - start) / 1_000_000,
            (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20);
      }
    }
  }

  private static void say(boolean secured, String what, long bytes, long startNanos) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    System.out.printf("TLS %s: %s: %.0f MB/s%n", secured, what, bytes / seconds / 1e6);
  }
}
