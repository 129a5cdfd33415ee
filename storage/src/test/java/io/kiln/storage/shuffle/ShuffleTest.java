package io.kiln.storage.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.Aggregator;
import io.kiln.api.HashPartitioner;
import io.kiln.api.Pair;
import io.kiln.api.Partitioner;
import io.kiln.api.Records;
import io.kiln.api.ShuffleDependency;
import io.kiln.shuffle.MapOutput;
import io.kiln.storage.Ground;
import io.kiln.storage.StorageOptions;
import io.kiln.storage.TaskStorage;
import io.kiln.storage.compression.CompressionCodec;
import io.kiln.storage.compression.CompressionOptions;
import io.kiln.storage.compression.FrameKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShuffleTest {
  private static final FrameKey KEY = FrameKey.of(new byte[16]);
  private static final Aggregator<Long, Long> SUM =
      new Aggregator<>(value -> value, Long::sum, Long::sum);
  private static final Aggregator<Long, ArrayList<Long>> GATHER =
      new Aggregator<>(
          value -> new ArrayList<>(List.of(value)),
          (all, value) -> {
            all.add(value);
            return all;
          },
          (all, more) -> {
            all.addAll(more);
            return all;
          });

  @TempDir Path temporary;

  private static Ground ground(CompressionCodec codec, long engineBytes, FrameKey key) {
    return new Ground(
        options ->
            options
                .withCompression(new CompressionOptions(codec, true, true, true, key))
                .withMemory(StorageOptions.MemoryOptions.ofEngine(engineBytes)));
  }

  private static <K> Ground.Source<Pair<K, Long>> parent(List<List<Pair<K, Long>>> maps) {
    return Ground.source(maps);
  }

  private static <K> Map<K, Long> sums(List<List<Pair<K, Long>>> maps) {
    Map<K, Long> sums = new HashMap<>();
    maps.forEach(map -> map.forEach(pair -> sums.merge(pair.key(), pair.value(), Long::sum)));
    return sums;
  }

  @Property(tries = 60)
  void everyFormOfShuffleGivesWhatPlainJavaGives(
      @ForAll("maps") List<List<Pair<String, Long>>> maps,
      @ForAll @IntRange(min = 1, max = 9) int reducers,
      @ForAll CompressionCodec codec,
      @ForAll boolean combine,
      @ForAll boolean ordered,
      @ForAll boolean encrypted)
      throws Exception {
    try (Ground ground = ground(codec, 1 << 20, encrypted ? KEY : FrameKey.NONE)) {
      var builder =
          ShuffleDependency.<String, Long, Long>builder(parent(maps), new HashPartitioner(reducers))
              .aggregator(SUM, combine);
      if (ordered) {
        builder.keyOrder(Comparator.naturalOrder());
      }
      ShuffleDependency<String, Long, Long> shuffle = builder.build();
      for (int map = 0; map < maps.size(); map++) {
        ground.write(shuffle, map, maps.get(map));
      }
      Map<String, Long> got = new HashMap<>();
      for (int reduce = 0; reduce < reducers; reduce++) {
        List<String> keys = new ArrayList<>();
        for (Pair<String, Long> pair : ground.read(shuffle, reduce, reduce + 1)) {
          assertThat(shuffle.partitioner().partition(pair.key())).isEqualTo(reduce);
          assertThat(got.put(pair.key(), pair.value())).isNull();
          keys.add(pair.key());
        }
        assertThat(!ordered || keys.equals(keys.stream().sorted().toList())).isTrue();
      }
      assertThat(got).isEqualTo(sums(maps));
      ground.assertNothingLeft();
    }
  }

  @Provide
  Arbitrary<List<List<Pair<String, Long>>>> maps() {
    Arbitrary<Pair<String, Long>> pair =
        Arbitraries.strings()
            .alpha()
            .ofMaxLength(3)
            .flatMap(key -> Arbitraries.longs().map(value -> new Pair<>(key, value)));
    return pair.list().ofMaxSize(200).list().ofMinSize(1).ofMaxSize(4);
  }

  private static List<List<Pair<Integer, Long>>> large(int maps, int records, int keys) {
    return IntStream.range(0, maps)
        .mapToObj(
            map ->
                IntStream.range(0, records)
                    .mapToObj(i -> new Pair<>((i * 7919 + map) % keys, (long) i))
                    .toList())
        .toList();
  }

  @ParameterizedTest
  @EnumSource(CompressionCodec.class)
  void spillsWhenMemoryIsShortAndStillSumsUp(CompressionCodec codec) throws Exception {
    List<List<Pair<Integer, Long>>> maps = large(2, 60_000, 20_000);
    for (boolean combine : new boolean[] {true, false}) {
      try (Ground ground = ground(codec, 400 << 10, combine ? KEY : FrameKey.NONE)) {
        ShuffleDependency<Integer, Long, Long> shuffle =
            ShuffleDependency.<Integer, Long, Long>builder(parent(maps), new HashPartitioner(3))
                .aggregator(SUM, combine)
                .build();
        for (int map = 0; map < 2; map++) {
          try (TaskStorage task = ground.newTask()) {
            ShuffleWriter<Integer, Long> writer = task.shuffleWriter(shuffle, map);
            for (Pair<Integer, Long> pair : maps.get(map)) {
              writer.accept(pair);
            }
            MapOutput output = writer.commit();
            assertThat(output.records()).isEqualTo(combine ? 20_000 : 60_000);
            assertThat(task.metrics().spill().diskBytes()).isPositive();
            assertThat(task.metrics().shuffleWrite().bytes()).isEqualTo(output.bytes());
          }
        }
        try (TaskStorage task = ground.newTask()) {
          Map<Integer, Long> got = new HashMap<>();
          for (Pair<Integer, Long> pair : Ground.push(task.readShuffle(shuffle, 0, 3))) {
            assertThat(got.put(pair.key(), pair.value())).isNull();
          }
          assertThat(got).isEqualTo(sums(maps));
          assertThat(task.metrics().spill().diskBytes()).isPositive();
          assertThat(task.metrics().shuffleRead().records()).isEqualTo(combine ? 40_000 : 120_000);
        }
        ground.assertNothingLeft();
      }
    }
  }

  @Test
  void whatATaskLeavesUnfinishedGoesWithIt() throws Exception {
    List<List<Pair<Integer, Long>>> maps = large(1, 200_000, 200_000);
    try (Ground ground = new Ground(300 << 10)) {
      ShuffleDependency<Integer, Long, Long> combined =
          ShuffleDependency.<Integer, Long, Long>builder(parent(maps), new HashPartitioner(2))
              .aggregator(SUM, true)
              .build();
      ShuffleDependency<Integer, Long, Long> plain =
          ShuffleDependency.of(parent(maps), new HashPartitioner(2));
      for (ShuffleDependency<Integer, Long, Long> shuffle : List.of(combined, plain)) {
        TaskStorage task = ground.newTask();
        ShuffleWriter<Integer, Long> writer = task.shuffleWriter(shuffle, 0);
        for (Pair<Integer, Long> pair : maps.getFirst()) {
          writer.accept(pair);
        }
        assertThat(task.metrics().spill().diskBytes()).isPositive();
        task.close(); // the writer neither commits nor aborts: its task died
        ground.assertNothingLeft();
      }
      TaskStorage reader = ground.newTask();
      var map = reader.<Integer, Long, Long>combiningMap(SUM);
      for (Pair<Integer, Long> pair : maps.getFirst()) {
        map.insert(pair.key(), pair.value());
      }
      assertThat(map.results().iterator().next()).isNotNull();
      assertThat(reader.metrics().spill().diskBytes()).isPositive();
      reader.close(); // the rest is never read
      ground.assertNothingLeft();
    }
  }

  @Test
  void groupsKeepTheOrderOfTheirValuesThroughSpills() throws Exception {
    try (Ground ground = new Ground(300 << 10);
        TaskStorage task = ground.newTask()) {
      var map = task.<String, Long, ArrayList<Long>>combiningMap(GATHER);
      for (long i = 0; i < 100_000; i++) {
        map.insert("k" + i % 100, i);
      }
      List<Pair<String, ArrayList<Long>>> groups = Ground.pull(map.results());
      assertThat(groups).hasSize(100);
      for (Pair<String, ArrayList<Long>> group : groups) {
        assertThat(group.value()).hasSize(1000).isSorted();
      }
      assertThat(task.metrics().spill().diskBytes()).isPositive();
      assertThat(task.metrics().peakMemoryBytes()).isLessThanOrEqualTo(300 << 10);
    }
  }

  @Test
  void sortsMoreThanFitsInMemoryStably() throws Exception {
    for (Comparator<Integer> order :
        List.<Comparator<Integer>>of(
            Comparator.naturalOrder(), Collections.reverseOrder(), (a, b) -> a - b)) {
      List<List<Pair<Integer, Long>>> maps = large(3, 20_000, 500);
      try (Ground ground = new Ground(500 << 10)) {
        ShuffleDependency<Integer, Long, Long> shuffle =
            ShuffleDependency.<Integer, Long, Long>builder(parent(maps), new HashPartitioner(2))
                .keyOrder(order)
                .build();
        for (int map = 0; map < 3; map++) {
          ground.write(shuffle, map, maps.get(map));
        }
        List<Pair<Integer, Long>> expected = new ArrayList<>();
        maps.forEach(expected::addAll);
        expected.removeIf(pair -> pair.key() % 2 != 0);
        expected.sort(Comparator.comparing(Pair::key, order));
        try (TaskStorage task = ground.newTask()) {
          assertThat(Ground.pull(task.readShuffle(shuffle, 0, 1))).isEqualTo(expected);
          assertThat(task.metrics().spill().diskBytes()).isPositive();
        }
        ground.assertNothingLeft();
      }
    }
  }

  @Test
  void resultsBeingReadGiveWayToTheNextWriter() throws Exception {
    try (Ground ground = new Ground(1 << 20);
        TaskStorage task = ground.newTask()) {
      var map = task.<Integer, Long, Long>combiningMap(SUM);
      int keys = 8_000;
      for (int i = 0; i < keys; i++) {
        map.insert(i, 1L);
      }
      Records<Pair<Integer, Long>> results = map.results();
      var next = task.<Integer, Long, Long>combiningMap(SUM);
      results.forEach(
          pair -> {
            next.insert(pair.key(), pair.value());
            next.insert(pair.key() + keys, pair.value());
            return true;
          });
      Map<Integer, Long> got = new HashMap<>();
      next.results().forEach(pair -> got.put(pair.key(), pair.value()) == null);
      assertThat(got).hasSize(2 * keys).containsValue(1L).doesNotContainValue(2L);
      assertThat(task.metrics().spill().diskBytes()).isPositive();
    }
  }

  @Test
  void aDamagedOutputIsSaidAndCanBeWrittenAgain() throws Exception {
    List<List<Pair<Integer, Long>>> maps = large(1, 1000, 1000);
    try (Ground ground = new Ground(8 << 20)) {
      ShuffleDependency<Integer, Long, Long> shuffle =
          ShuffleDependency.of(parent(maps), new HashPartitioner(2));
      ground.write(shuffle, 0, maps.getFirst());
      Path data = onlyFile(ground);
      flipByte(data, Files.size(data) - 200); // before what describes the output
      assertThat(ground.read(shuffle, 0, 1)).hasSize(500);
      try (TaskStorage task = ground.newTask()) {
        assertThatThrownBy(() -> Ground.push(task.readShuffle(shuffle, 0, 2)))
            .isInstanceOfSatisfying(
                ShuffleBlockCorrupted.class,
                e -> {
                  assertThat(e.shuffleId()).isEqualTo(shuffle.shuffleId());
                  assertThat(e.mapPartition()).isZero();
                  assertThat(e.reducePartition()).isEqualTo(1);
                });
        assertThat(task.fetchFailure()).isPresent();
      }
      assertThat(ground.storage.holdsMapOutput(shuffle.shuffleId(), 0)).isFalse();
      assertThatThrownBy(() -> ground.read(shuffle, 0, 1)).isInstanceOf(ShuffleBlockMissing.class);
      ground.write(shuffle, 0, maps.getFirst());
      assertThat(ground.read(shuffle, 0, 2)).hasSize(1000);
      Files.delete(onlyFile(ground));
      assertThatThrownBy(() -> ground.read(shuffle, 0, 1)).isInstanceOf(ShuffleBlockMissing.class);
    }
  }

  @Test
  void theLatestAttemptThatCommitsCounts() throws Exception {
    List<List<Pair<Integer, Long>>> maps = large(1, 10, 10);
    try (Ground ground = new Ground(8 << 20)) {
      ShuffleDependency<Integer, Long, Long> shuffle =
          ShuffleDependency.of(parent(maps), new HashPartitioner(2));
      TaskStorage early = ground.newTask();
      ShuffleWriter<Integer, Long> lateToCommit = early.shuffleWriter(shuffle, 0);
      MapOutput second = ground.write(shuffle, 0, maps.getFirst());
      assertThat(lateToCommit.commit()).isSameAs(second);
      early.close();
      assertThat(ground.read(shuffle, 0, 2)).hasSize(10);
      try (TaskStorage task = ground.newTask()) {
        ShuffleWriter<Integer, Long> writer = task.shuffleWriter(shuffle, 0);
        writer.accept(new Pair<>(1, 1L));
        writer.abort();
      }
      Path file = onlyFile(ground);
      ground.write(shuffle, 0, List.of());
      assertThat(ground.read(shuffle, 0, 2)).isEmpty();
      assertThat(file).as("somebody may still read it").exists();
      ground.storage.removeShuffle(shuffle.shuffleId());
      assertThat(file).doesNotExist();
    }
  }

  /// Writers that hold a file each while another begins.
  @Test
  void manyOutputsLieInFewFiles() throws Exception {
    int maps = 60;
    List<List<Pair<Integer, Long>>> records = large(maps, 50, 40);
    try (Ground ground = new Ground(8 << 20)) {
      ShuffleDependency<Integer, Long, Long> shuffle =
          ShuffleDependency.of(parent(records), new HashPartitioner(3));
      try (ExecutorService tasks = Executors.newFixedThreadPool(4)) {
        List<Future<?>> written = new ArrayList<>();
        for (int map = 0; map < maps; map++) {
          int partition = map;
          written.add(tasks.submit(() -> ground.write(shuffle, partition, records.get(partition))));
        }
        for (Future<?> output : written) {
          output.get();
        }
      }
      assertThat(files(ground)).hasSizeBetween(1, 4);
      assertThat(ground.read(shuffle, 0, 3))
          .containsExactlyElementsOf(byReducer(records, shuffle.partitioner()));
    }
  }

  private static List<Pair<Integer, Long>> byReducer(
      List<List<Pair<Integer, Long>>> maps, Partitioner partitioner) {
    List<Pair<Integer, Long>> all = new ArrayList<>();
    for (List<Pair<Integer, Long>> map : maps) {
      for (int reduce = 0; reduce < partitioner.numPartitions(); reduce++) {
        for (Pair<Integer, Long> pair : map) {
          if (partitioner.partition(pair.key()) == reduce) {
            all.add(pair);
          }
        }
      }
    }
    return all;
  }

  @Test
  void aKilledTaskFailsAtItsNextRequest() throws Exception {
    try (Ground ground = new Ground(8 << 20);
        TaskStorage task = ground.newTask()) {
      var map = task.<Integer, Long, Long>combiningMap(SUM);
      task.cancel("stage 3 was cancelled");
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 10_000; i++) {
                  map.insert(i, 1L);
                }
              })
          .hasMessageContaining("stage 3 was cancelled");
    }
  }

  private static Path onlyFile(Ground ground) throws IOException {
    List<Path> found = files(ground);
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private static List<Path> files(Ground ground) throws IOException {
    try (var files = Files.walk(ground.directory)) {
      return files.filter(file -> file.toString().endsWith(".data")).toList();
    }
  }

  private static void flipByte(Path file, long at) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, at);
      one.put(0, (byte) ~one.get(0)).flip();
      channel.write(one, at);
    }
  }
}
