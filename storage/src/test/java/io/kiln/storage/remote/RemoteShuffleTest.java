package io.kiln.storage.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.Aggregator;
import io.kiln.api.HashPartitioner;
import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.listener.TaskMetrics;
import io.kiln.network.transport.Content;
import io.kiln.network.transport.ContentSource;
import io.kiln.process.disk.LocalDirectories;
import io.kiln.shuffle.ShuffleStore;
import io.kiln.shuffle.server.OutputCopies;
import io.kiln.shuffle.server.ShuffleRequest;
import io.kiln.shuffle.server.ShuffleRequest.FetchShuffle;
import io.kiln.shuffle.server.ShuffleServer;
import io.kiln.storage.Ground;
import io.kiln.storage.TaskStorage;
import io.kiln.storage.compression.CompressionCodec;
import io.kiln.storage.compression.CompressionOptions;
import io.kiln.storage.shuffle.ShuffleBlockCorrupted;
import io.kiln.storage.shuffle.ShuffleBlockMissing;
import io.kiln.storage.shuffle.ShuffleFetchFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class RemoteShuffleTest {

  @TempDir private Path temporary;
  private static final Aggregator<Long, Long> SUM =
      new Aggregator<>(value -> value, Long::sum, Long::sum);

  static ShuffleDependency<Integer, byte[], byte[]> plain(int maps, int reducers) {
    List<List<Pair<Integer, byte[]>>> partitions = Collections.nCopies(maps, List.of());
    return ShuffleDependency.<Integer, byte[], byte[]>builder(
            Ground.source(partitions), new HashPartitioner(reducers))
        .build();
  }

  /// Records of random bytes, so that nothing is made smaller by compression.
  private static List<Pair<Integer, byte[]>> records(int map, int count, int bytes) {
    Random random = new Random(map);
    return IntStream.range(0, count)
        .mapToObj(
            key -> {
              byte[] value = new byte[bytes];
              random.nextBytes(value);
              return new Pair<>(key, value);
            })
        .toList();
  }

  private static List<String> shown(List<Pair<Integer, byte[]>> records) {
    return records.stream()
        .map(pair -> pair.key() + ":" + java.util.Arrays.hashCode(pair.value()))
        .sorted()
        .toList();
  }

  /// Whatever lies where, and however it comes: what is read is what was written.
  @ParameterizedTest
  @CsvSource({
    "true, 0, NONE, 48000000",
    "true, 300, LZ4, 48000000",
    "false, 300, NONE, 48000000",
    "false, 20000, LZ4, 48000000",
    "true, 20000, NONE, 48000000",
    "true, 200000, LZ4, 48000000",
    "false, 200000, ZSTD, 48000000",
    "true, 20000, LZ4, 100000",
    "false, 300, NONE, 100"
  })
  void allMapOutputsArrive(
      boolean secured, int bytes, CompressionCodec codec, long maxBytesInFlight) throws Exception {
    FetchOptions options =
        new FetchOptions(2, maxBytesInFlight, 3_000_000, 3, Duration.ofSeconds(5));
    int maps = 7;
    ShuffleDependency<Integer, byte[], byte[]> shuffle = plain(maps, 4);
    try (Cluster cluster =
        new Cluster(
            3,
            secured,
            storage -> storage.withCompression(new CompressionOptions(codec, true, true, true)),
            options)) {
      List<Pair<Integer, byte[]>> all = new ArrayList<>();
      for (int map = 0; map < maps; map++) {
        List<Pair<Integer, byte[]>> records = records(map, map == 3 ? 0 : 40, bytes);
        all.addAll(records);
        cluster.nodes.get(map % 3).write(shuffle, map, records);
      }
      for (Cluster.Node node : cluster.nodes) {
        List<Pair<Integer, byte[]>> got = new ArrayList<>();
        for (int reduce = 0; reduce < 4; reduce++) {
          List<Pair<Integer, byte[]>> part = node.read(shuffle, reduce, reduce + 1);
          int expected = reduce;
          assertThat(part).allMatch(pair -> pair.key() % 4 == expected);
          got.addAll(part);
        }
        assertThat(shown(got)).isEqualTo(shown(all));
        assertThat(shown(node.read(shuffle, 1, 4)))
            .isEqualTo(shown(all.stream().filter(pair -> pair.key() % 4 != 0).toList()));
        assertThat(node.read(shuffle, 2, 2)).isEmpty();
        assertThat(node.spills()).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void combinesAndSortsWhatOthersHave(boolean secured) throws Exception {
    ShuffleDependency<String, Long, Long> shuffle =
        ShuffleDependency.<String, Long, Long>builder(
                Ground.source(Collections.nCopies(5, List.<Pair<String, Long>>of())),
                new HashPartitioner(3))
            .aggregator(SUM, true)
            .keyOrder(Comparator.naturalOrder())
            .build();
    Map<String, Long> sums = new HashMap<>();
    try (Cluster cluster = new Cluster(2, secured)) {
      for (int map = 0; map < 5; map++) {
        List<Pair<String, Long>> records = new ArrayList<>();
        for (long i = 0; i < 20_000; i++) {
          Pair<String, Long> pair = new Pair<>("key-" + i * (map + 1) % 5_003, i);
          records.add(pair);
          sums.merge(pair.key(), pair.value(), Long::sum);
        }
        cluster.nodes.get(map % 2).write(shuffle, map, records);
      }
      Map<String, Long> got = new HashMap<>();
      for (int reduce = 0; reduce < 3; reduce++) {
        List<Pair<String, Long>> part = cluster.nodes.get(0).read(shuffle, reduce, reduce + 1);
        assertThat(part).isSortedAccordingTo(Comparator.comparing(Pair::key));
        part.forEach(pair -> got.merge(pair.key(), pair.value(), Long::sum));
      }
      assertThat(got).isEqualTo(sums);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void countsWhatItReads(boolean secured) throws Exception {
    ShuffleDependency<Integer, byte[], byte[]> shuffle = plain(2, 2);
    try (Cluster cluster = new Cluster(2, secured)) {
      long[] stored = new long[2];
      for (int map = 0; map < 2; map++) {
        stored[map] = cluster.nodes.get(map).write(shuffle, map, records(map, 50, 9_000)).bytes();
      }
      try (TaskStorage task = cluster.nodes.get(0).newTask()) {
        assertThat(Ground.push(task.readShuffle(shuffle, 0, 2))).hasSize(100);
        TaskMetrics.ShuffleRead read = task.metrics().shuffleRead();
        assertThat(read.bytes()).isEqualTo(stored[0] + stored[1]);
        assertThat(read.records()).isEqualTo(100);
        assertThat(read.local().count()).isEqualTo(2);
        assertThat(read.local().bytes()).isEqualTo(stored[0]);
        assertThat(read.remote().count()).isEqualTo(2);
        assertThat(read.remote().bytes()).isEqualTo(stored[1]);
        assertThat(read.requests()).isEqualTo(1);
        assertThat(read.requestNanos()).isPositive();
        assertThat(read.waitNanos()).isPositive();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoHasOnlyTheFilesOfAProcessServesThem(boolean secured) throws Exception {
    ShuffleDependency<Integer, byte[], byte[]> shuffle = plain(3, 2);
    try (Cluster cluster = new Cluster(2, secured);
        LocalDirectories elsewhere = LocalDirectories.open(List.of(temporary))) {
      Cluster.Node holder = cluster.nodes.get(1);
      for (int map = 0; map < 3; map++) {
        holder.write(shuffle, map, records(map, 50, 9_000 * map));
      }
      List<Pair<Integer, byte[]>> before = cluster.nodes.get(0).read(shuffle, 0, 2);

      ShuffleStore adopting = new ShuffleStore(elsewhere);
      try (Stream<Path> roots = Files.list(holder.directory)) {
        adopting.adopt(roots.toList());
      }
      ShuffleServer server =
          new ShuffleServer(adopting, new OutputCopies(adopting, holder.transport, 4096, 0));
      holder.serve(_ -> (_, request) -> server.open((ShuffleRequest) request));

      assertThat(cluster.nodes.get(0).read(shuffle, 0, 2))
          .usingElementComparator(
              Comparator.comparing(Pair<Integer, byte[]>::key)
                  .thenComparing(Pair::value, Arrays::compare))
          .containsExactlyInAnyOrderElementsOf(before);
    }
  }

  // ---- faults -----------------------------------------------------------------------------------

  private static ShuffleFetchFailure failure(
      Cluster.Node reader, ShuffleDependency<Integer, byte[], byte[]> shuffle) throws Exception {
    try (TaskStorage task = reader.newTask()) {
      ShuffleFetchFailure[] met = new ShuffleFetchFailure[1];
      assertThatThrownBy(() -> Ground.push(task.readShuffle(shuffle, 0, 2)))
          .isInstanceOfSatisfying(ShuffleFetchFailure.class, e -> met[0] = e);
      assertThat(task.fetchFailure()).containsSame(met[0]);
      return met[0];
    }
  }

  /// Two maps of 40 records on another executor.
  private static ShuffleDependency<Integer, byte[], byte[]> twoMapsOn(Cluster.Node node, int bytes)
      throws Exception {
    ShuffleDependency<Integer, byte[], byte[]> shuffle = plain(2, 2);
    for (int map = 0; map < 2; map++) {
      node.write(shuffle, map, records(map, 40, bytes));
    }
    return shuffle;
  }

  private static void flip(Path file, long at) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, at);
      one.put(0, (byte) (one.get(0) ^ 1));
      channel.write(one.rewind(), at);
    }
  }

  @ParameterizedTest
  @CsvSource({"true, 100", "true, 20000", "false, 20000"})
  void aDamagedDiskIsNamed(boolean secured, int bytes) throws Exception {
    try (Cluster cluster = new Cluster(2, secured)) {
      Cluster.Node holder = cluster.nodes.get(1);
      ShuffleDependency<Integer, byte[], byte[]> shuffle = twoMapsOn(holder, bytes);
      Path file = holder.file(shuffle.shuffleId());
      flip(file, Files.size(file) - 200); // before what describes the last output
      ShuffleFetchFailure failure = failure(cluster.nodes.get(0), shuffle);
      assertThat(failure).isInstanceOf(ShuffleBlockCorrupted.class);
      assertThat(failure)
          .hasMessage(
              "output of map task 1 of shuffle "
                  + shuffle.shuffleId()
                  + " for partition 1 on executor executor-1 is corrupted: the disk of the executor"
                  + " does not have what was written");
      assertThat(failure.executorId()).contains("executor-1");
      assertThat(failure.mapPartition()).isEqualTo(1);
      assertThat(failure.reducePartition()).isEqualTo(1);
      assertThat(holder.storage.holdsMapOutput(shuffle.shuffleId(), 1)).isFalse();
    }
  }

  /// Flips a bit in the first piece behind the table of those answers that the test chooses.
  private static ContentSource flipping(ContentSource real, IntPredicate which) {
    AtomicInteger answers = new AtomicInteger();
    return (peer, request) -> {
      Content content = real.open(peer, request);
      if (!(request instanceof FetchShuffle) || !which.test(answers.getAndIncrement())) {
        return content;
      }
      Content.OfPieces pieces = (Content.OfPieces) content;
      return new Content.OfPieces(
          content.lengthBytes(),
          () -> {
            Content.OfBytes piece = (Content.OfBytes) pieces.pieces().next();
            ByteBuffer last = piece.parts().getLast();
            byte[] changed = new byte[last.remaining()];
            last.duplicate().get(changed);
            changed[changed.length - 1] ^= 1;
            List<ByteBuffer> parts = new ArrayList<>(piece.parts());
            parts.set(parts.size() - 1, ByteBuffer.wrap(changed));
            return new Content.OfBytes(parts);
          });
    };
  }

  @Test
  void whatTheNetworkChangedOnceIsFetchedAgain() throws Exception {
    try (Cluster cluster = new Cluster(2, true)) {
      Cluster.Node holder = cluster.nodes.get(1);
      ShuffleDependency<Integer, byte[], byte[]> shuffle = twoMapsOn(holder, 100);
      holder.serve(real -> flipping(real, answer -> answer == 0));
      List<Pair<Integer, byte[]>> all = new ArrayList<>(records(0, 40, 100));
      all.addAll(records(1, 40, 100));
      assertThat(shown(cluster.nodes.get(0).read(shuffle, 0, 2))).isEqualTo(shown(all));
    }
  }

  @Test
  void aNetworkThatChangesBytesIsNamed() throws Exception {
    try (Cluster cluster = new Cluster(2, true)) {
      Cluster.Node holder = cluster.nodes.get(1);
      ShuffleDependency<Integer, byte[], byte[]> shuffle = twoMapsOn(holder, 100);
      holder.serve(real -> flipping(real, _ -> true));
      ShuffleFetchFailure failure = failure(cluster.nodes.get(0), shuffle);
      assertThat(failure)
          .isInstanceOf(ShuffleBlockCorrupted.class)
          .hasMessageContaining("the network changed it");
      assertThat(holder.storage.holdsMapOutput(shuffle.shuffleId(), 1)).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({"true, 100", "true, 20000", "false, 20000"})
  void aDeletedFileIsAMissingOutput(boolean secured, int bytes) throws Exception {
    try (Cluster cluster = new Cluster(2, secured)) {
      Cluster.Node holder = cluster.nodes.get(1);
      ShuffleDependency<Integer, byte[], byte[]> shuffle = twoMapsOn(holder, bytes);
      Files.delete(holder.file(shuffle.shuffleId()));
      ShuffleFetchFailure failure = failure(cluster.nodes.get(0), shuffle);
      assertThat(failure)
          .isInstanceOf(ShuffleBlockMissing.class)
          .hasMessageContaining("on executor executor-1 is missing: the executor's disk doesn't");
      assertThat(failure.executorId()).contains("executor-1");
      assertThat(failure.mapPartition()).isZero();
      assertThat(holder.storage.holdsMapOutput(shuffle.shuffleId(), 0)).isFalse();
    }
  }

  /// A failure of the reader's own disk is not the holder's.
  @Test
  void aReaderThatCannotWriteBlamesNobody() throws Exception {
    FetchOptions throughFiles = new FetchOptions(4, 48 << 20, 1, 3, Duration.ZERO);
    try (Cluster cluster = new Cluster(2, true, options -> options, throughFiles)) {
      Cluster.Node reader = cluster.nodes.get(0);
      ShuffleDependency<Integer, byte[], byte[]> shuffle = twoMapsOn(cluster.nodes.get(1), 20_000);
      assertThat(reader.read(shuffle, 0, 2)).hasSize(80);
      try (var files = Files.walk(reader.directory)) {
        Files.delete(files.filter(file -> file.endsWith("spills")).findFirst().orElseThrow());
      }
      try (TaskStorage task = reader.newTask()) {
        assertThatThrownBy(() -> Ground.push(task.readShuffle(shuffle, 0, 2)))
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining("spills");
        assertThat(task.fetchFailure()).isEmpty();
      }
    }
  }

  @Test
  void anOutputThatItsHolderDoesNotHaveFailsAtOnce() throws Exception {
    try (Cluster cluster = new Cluster(2, true)) {
      Cluster.Node holder = cluster.nodes.get(1);
      ShuffleDependency<Integer, byte[], byte[]> shuffle = twoMapsOn(holder, 100);
      cluster.outputs(shuffle.shuffleId()).put(0, cluster.nodes.get(0).self);
      ShuffleFetchFailure own = failure(cluster.nodes.get(0), shuffle);
      assertThat(own).hasMessageContaining("it is not kept here");
      assertThat(own.executorId()).isEmpty();
      cluster.outputs(shuffle.shuffleId()).put(0, holder.self);
      holder.storage.removeShuffle(shuffle.shuffleId());
      ShuffleFetchFailure others = failure(cluster.nodes.get(0), shuffle);
      assertThat(others).hasMessageContaining("the executor doesn't hold it");
      assertThat(others.mapPartition()).isZero();
      cluster.outputs(shuffle.shuffleId()).remove(0);
      ShuffleFetchFailure nobody = failure(cluster.nodes.get(0), shuffle);
      assertThat(nobody).hasMessageContaining("no executor has it");
      assertThat(nobody.executorId()).contains("");
    }
  }

  /// Breaks the first answers off after some pieces.
  private static ContentSource breaking(ContentSource real, int times, AtomicInteger answers) {
    return (peer, request) -> {
      Content content = real.open(peer, request);
      if (!(content instanceof Content.OfPieces whole) || answers.incrementAndGet() > times) {
        return content;
      }
      AtomicInteger pieces = new AtomicInteger();
      return new Content.OfPieces(
          content.lengthBytes(),
          () -> {
            return switch (pieces.getAndIncrement()) {
              case 0, 1 -> whole.pieces().next();
              case 2 -> front(whole.pieces().next());
              default -> throw new IOException("the holder breaks off");
            };
          });
    };
  }

  /// Three quarters: within the second of two segments.
  private static Content front(Content piece) {
    Content.FilePart part = ((Content.OfFiles) piece).parts().getFirst();
    return Content.OfFiles.of(part.file(), part.offsetBytes(), part.lengthBytes() / 4 * 3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void goesOnWhereAHolderBrokeOff(boolean secured) throws Exception {
    try (Cluster cluster = new Cluster(2, secured)) {
      Cluster.Node holder = cluster.nodes.get(1);
      int maps = 6;
      ShuffleDependency<Integer, byte[], byte[]> shuffle = plain(maps, 2);
      List<Pair<Integer, byte[]>> all = new ArrayList<>();
      for (int map = 0; map < maps; map++) {
        List<Pair<Integer, byte[]>> records = records(map, 40, 5_000);
        all.addAll(records);
        holder.write(shuffle, map, records);
      }
      AtomicInteger answers = new AtomicInteger();
      holder.serve(real -> breaking(real, 4, answers)); // more than the retries: each gets on
      assertThat(shown(cluster.nodes.get(0).read(shuffle, 0, 2))).isEqualTo(shown(all));
      assertThat(answers).hasValue(5);
    }
  }

  @Test
  void aHolderThatIsGoneIsAskedSoManyTimesInVain() throws Exception {
    try (Cluster cluster = new Cluster(2, true)) {
      Cluster.Node holder = cluster.nodes.get(1);
      ShuffleDependency<Integer, byte[], byte[]> shuffle = twoMapsOn(holder, 100);
      holder.transport.close();
      ShuffleFetchFailure failure = failure(cluster.nodes.get(0), shuffle);
      assertThat(failure)
          .isInstanceOf(ShuffleBlockMissing.class)
          .hasMessageContaining("it was asked 4 times in vain: localhost:")
          .hasMessageContaining("can't be reached");
      assertThat(failure.executorId()).contains("executor-1");
      assertThat(cluster.asked).hasValue(4);
    }
  }

  @Test
  void aHolderThatTheDriverHasGivenUpIsNotAskedAgain() throws Exception {
    FetchOptions patient =
        new FetchOptions(Integer.MAX_VALUE, 48 << 20, 200 << 20, 3, Duration.ofHours(1));
    try (Cluster cluster = new Cluster(2, true, options -> options, patient)) {
      Cluster.Node holder = cluster.nodes.get(1);
      ShuffleDependency<Integer, byte[], byte[]> shuffle = twoMapsOn(holder, 100);
      holder.serve(
          _ ->
              (_, _) -> {
                cluster.outputs(shuffle.shuffleId()).clear();
                return new Content.OfPieces(
                    1000,
                    () -> {
                      throw new IOException("killed");
                    });
              });
      assertThat(failure(cluster.nodes.get(0), shuffle))
          .hasMessageContaining("the executor is lost");
    }
  }

  // ---- waiting ----------------------------------------------------------------------------------

  /// Holds the answer up behind its first piece.
  private static ContentSource waiting(
      ContentSource real, CountDownLatch asked, CountDownLatch goOn) {
    return (peer, request) -> {
      Content.OfPieces content = (Content.OfPieces) real.open(peer, request);
      return new Content.OfPieces(
          content.lengthBytes(),
          () -> {
            asked.countDown();
            try {
              goOn.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            return content.pieces().next();
          });
    };
  }

  @Test
  void aSlowHolderHoldsUpOnlyItsOwn() throws Exception {
    ShuffleDependency<Integer, byte[], byte[]> shuffle = plain(3, 1);
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (Cluster cluster = new Cluster(3, true)) {
      for (int map = 0; map < 3; map++) {
        cluster.nodes.get(map).write(shuffle, map, records(map, 40, 1_000));
      }
      cluster.nodes.get(1).serve(real -> waiting(real, asked, goOn));
      try (TaskStorage task = cluster.nodes.get(0).newTask()) {
        Iterator<Pair<Integer, byte[]>> records = task.readShuffle(shuffle, 0, 1).iterator();
        for (int i = 0; i < 80; i++) {
          assertThat(records.next()).isNotNull();
        }
        asked.await();
        goOn.countDown();
        for (int i = 0; i < 40; i++) {
          assertThat(records.next()).isNotNull();
        }
        assertThat(records.hasNext()).isFalse();
      }
    } finally {
      goOn.countDown();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aKilledTaskStopsWaiting(boolean interrupt) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (Cluster cluster = new Cluster(2, true);
        ExecutorService slot = Executors.newSingleThreadExecutor()) {
      ShuffleDependency<Integer, byte[], byte[]> shuffle = twoMapsOn(cluster.nodes.get(1), 100);
      cluster.nodes.get(1).serve(real -> waiting(real, asked, goOn));
      TaskStorage task = cluster.nodes.get(0).newTask();
      Thread[] runs = new Thread[1];
      Future<String> code =
          slot.submit(
              () -> {
                runs[0] = Thread.currentThread();
                try (task) {
                  return "read " + Ground.push(task.readShuffle(shuffle, 0, 2)).size();
                } catch (KilnException e) {
                  return e.code();
                }
              });
      asked.await();
      if (interrupt) {
        runs[0].interrupt();
      } else {
        task.cancel("not needed");
      }
      assertThat(code.get()).isEqualTo(interrupt ? "TASK_INTERRUPTED" : "TASK_KILLED");
    } finally {
      goOn.countDown();
    }
  }

  /// What is not read to its end leaves nothing behind.
  @Test
  void aTaskThatReadsOnlyTheBeginningLeavesNothing() throws Exception {
    FetchOptions throughFiles = new FetchOptions(4, 48 << 20, 1, 3, Duration.ZERO);
    try (Cluster cluster = new Cluster(2, true, options -> options, throughFiles)) {
      ShuffleDependency<Integer, byte[], byte[]> shuffle = twoMapsOn(cluster.nodes.get(1), 100_000);
      Cluster.Node reader = cluster.nodes.get(0);
      for (int i = 0; i < 10; i++) {
        try (TaskStorage task = reader.newTask()) {
          assertThat(task.readShuffle(shuffle, 0, 2).iterator().next()).isNotNull();
        }
        assertThat(reader.spills()).isZero();
      }
      assertThat(reader.storage.status().executionBytes()).isZero();
    }
  }
}
