package io.kiln.storage.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import io.kiln.api.StorageLevel;
import io.kiln.network.transport.Content;
import io.kiln.network.transport.ContentSource;
import io.kiln.process.ProcessDirectory;
import io.kiln.protocol.BlockId;
import io.kiln.protocol.DataHolder;
import io.kiln.storage.Ground;
import io.kiln.storage.IdleTask;
import io.kiln.storage.StorageOptions.MemoryOptions;
import io.kiln.storage.TaskStorage;
import io.kiln.storage.remote.StorageRequest.ReadBlock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class RemoteBlocksTest {
  private static final long ENGINE_BYTES = 100 << 20;

  private static List<String> words(int count) {
    return IntStream.range(0, count).mapToObj(i -> "word " + i).toList();
  }

  private static Ground.Source<String> rdd(StorageLevel level, List<String> words) {
    Ground.Source<String> rdd = Ground.source(List.of(words));
    rdd.persist(level);
    return rdd;
  }

  private static BlockId block(Ground.Source<String> rdd) {
    return new BlockId.RddBlock(rdd.id(), 0);
  }

  private static Cluster cluster(int size, boolean secured) throws IOException {
    return cluster(size, secured, ENGINE_BYTES);
  }

  private static Cluster cluster(int size, boolean secured, long engineBytes) throws IOException {
    return new Cluster(
        size,
        secured,
        options -> options.withMemory(MemoryOptions.ofEngine(engineBytes).withOffHeap(engineBytes)),
        Cluster.OPTIONS);
  }

  /// Runs a task that reads the partition.
  static List<String> read(Cluster.Node node, Ground.Source<String> rdd) throws Exception {
    try (IdleTask task = new IdleTask();
        TaskStorage storage = node.newTask()) {
      return Ground.pull(storage.persisted(rdd, rdd.partitions().get(0), task));
    }
  }

  static List<StorageLevel> levels() {
    return List.of(
        StorageLevel.MEMORY_ONLY,
        StorageLevel.MEMORY_ONLY_SER,
        StorageLevel.DISK_ONLY,
        StorageLevel.OFF_HEAP);
  }

  @ParameterizedTest
  @MethodSource("levels")
  void whatAnotherExecutorHasIsNotComputedAgain(StorageLevel level) throws Exception {
    for (boolean secured : new boolean[] {true, false}) {
      for (int count : new int[] {0, 1, 300_000}) { // the last goes through a file, as objects
        Ground.Source<String> rdd = rdd(level, words(count));
        try (Cluster cluster = cluster(2, secured)) {
          for (Cluster.Node node : cluster.nodes) {
            assertThat(read(node, rdd)).isEqualTo(words(count));
          }
          assertThat(rdd.computed).hasValue(1);
          assertThat(cluster.holders(block(rdd))).containsExactly(cluster.nodes.get(0).self);
        }
      }
    }
  }

  @Test
  void aHolderWithoutItOrOutOfReachIsPassedOver() throws Exception {
    Ground.Source<String> rdd = rdd(StorageLevel.MEMORY_ONLY, words(10));
    try (Cluster cluster = cluster(3, true)) {
      read(cluster.nodes.get(0), rdd);
      cluster.nodes.get(1).serve(_ -> (_, _) -> Content.OfBytes.of(new byte[0]));
      cluster.nodes.get(0).storage.removeRdd(rdd.id());
      assertThat(cluster.holders(block(rdd))).isEmpty();
      read(cluster.nodes.get(0), rdd);
      assertThat(rdd.computed).hasValue(2);
      cluster.nodes.get(0).transport.close();
      assertThat(read(cluster.nodes.get(2), rdd)).isEqualTo(words(10));
      assertThat(rdd.computed).hasValue(3);
    }
  }

  /// A block whose file was damaged is computed again, and its holder no longer counts as one.
  @Test
  void aDamagedFileIsComputedAgain() throws Exception {
    Ground.Source<String> rdd = rdd(StorageLevel.DISK_ONLY, words(100_000));
    try (Cluster cluster = cluster(2, false)) {
      Cluster.Node holder = cluster.nodes.get(0);
      read(holder, rdd);
      try (var files = Files.walk(holder.directory)) {
        Path file =
            files
                .filter(each -> Files.isRegularFile(each) && !each.endsWith(ProcessDirectory.LOCK))
                .findFirst()
                .orElseThrow();
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 5] ^= 1;
        Files.write(file, bytes);
      }
      assertThat(read(cluster.nodes.get(1), rdd)).isEqualTo(words(100_000));
      assertThat(rdd.computed).hasValue(2);
      assertThat(cluster.holders(block(rdd))).containsExactly(cluster.nodes.get(1).self);
    }
  }

  /// In the first chunk: the next holder is asked, or the block computed. Later: the task fails.
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whatTheNetworkChangedIsNotGivenOut(int piece) throws Exception {
    Ground.Source<String> rdd = rdd(StorageLevel.MEMORY_ONLY_SER, words(100_000));
    try (Cluster cluster = cluster(2, false)) {
      Cluster.Node holder = cluster.nodes.get(0);
      read(holder, rdd);
      AtomicInteger pieces = new AtomicInteger();
      holder.serve(
          real ->
              changing(
                  real,
                  bytes -> {
                    if (pieces.incrementAndGet() == piece) {
                      bytes.put(bytes.limit() - 1, (byte) ~bytes.get(bytes.limit() - 1));
                    }
                  }));
      if (piece == 1) {
        assertThat(read(cluster.nodes.get(1), rdd)).isEqualTo(words(100_000));
        assertThat(rdd.computed).hasValue(2);
      } else {
        assertThatThrownBy(() -> read(cluster.nodes.get(1), rdd))
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining("the network changed it");
      }
    }
  }

  /// Changes each piece of a block.
  private static ContentSource changing(ContentSource real, Consumer<ByteBuffer> change) {
    return (peer, request) -> {
      Content content = real.open(peer, request);
      if (!(content instanceof Content.OfPieces whole)) {
        return content;
      }
      return new Content.OfPieces(
          content.lengthBytes(),
          () -> {
            Content.OfBytes piece = (Content.OfBytes) whole.pieces().next();
            change.accept(piece.parts().getFirst());
            return piece;
          });
    };
  }

  @Test
  void aKilledTaskStopsWaitingForABlock() throws Exception {
    Ground.Source<String> rdd = rdd(StorageLevel.MEMORY_ONLY_SER, words(100_000));
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (Cluster cluster = cluster(2, true);
        ExecutorService slot = Executors.newSingleThreadExecutor()) {
      Cluster.Node holder = cluster.nodes.get(0);
      read(holder, rdd);
      holder.serve(
          real ->
              changing(
                  real,
                  _ -> {
                    reached.countDown();
                    try {
                      goOn.await();
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  }));
      TaskStorage storage = cluster.nodes.get(1).newTask();
      Future<String> outcome =
          slot.submit(
              () -> {
                try (IdleTask task = new IdleTask();
                    storage) {
                  return ""
                      + Ground.pull(storage.persisted(rdd, rdd.partitions().get(0), task)).size();
                } catch (KilnException e) {
                  return e.code();
                }
              });
      reached.await();
      storage.cancel("not needed");
      assertThat(outcome.get()).isEqualTo("TASK_KILLED");
    } finally {
      goOn.countDown();
    }
  }

  // ---- copies -----------------------------------------------------------------------------------

  static List<StorageLevel> replicatedLevels() {
    return List.of(
        StorageLevel.MEMORY_ONLY_2, StorageLevel.MEMORY_AND_DISK_SER_2, StorageLevel.DISK_ONLY_3);
  }

  @ParameterizedTest
  @MethodSource("replicatedLevels")
  void aReplicatedBlockSurvivesItsExecutor(StorageLevel level) throws Exception {
    Ground.Source<String> rdd = rdd(level, words(50_000));
    try (Cluster cluster = cluster(4, true)) {
      assertThat(read(cluster.nodes.get(0), rdd)).isEqualTo(words(50_000));
      List<DataHolder> holders = cluster.holders(block(rdd));
      assertThat(holders).doesNotHaveDuplicates().hasSize(level.replication());
      cluster.nodes.get(0).transport.close();
      for (Cluster.Node node : cluster.nodes.subList(1, 4)) {
        assertThat(read(node, rdd)).isEqualTo(words(50_000));
        assertThat(node.storage.holds(rdd.id(), 0)).isEqualTo(holders.contains(node.self));
      }
      assertThat(rdd.computed).hasValue(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"alone", "gone", "full"})
  void aCopyThatCannotBeMadeFailsNothing(String why) throws Exception {
    Ground.Source<String> rdd = rdd(StorageLevel.MEMORY_ONLY_2, words(1_000));
    try (Cluster cluster = cluster(why.equals("alone") ? 1 : 3, true)) {
      AtomicInteger asked = new AtomicInteger();
      cluster.nodes.stream()
          .skip(1)
          .forEach(
              node -> {
                if (why.equals("gone")) {
                  node.transport.close();
                } else {
                  node.serve(
                      _ ->
                          (_, _) -> {
                            asked.incrementAndGet();
                            return Content.OfBytes.of(new byte[] {0});
                          });
                }
              });
      assertThat(read(cluster.nodes.get(0), rdd)).isEqualTo(words(1_000));
      assertThat(asked).hasValue(why.equals("full") ? 2 : 0);
      assertThat(cluster.holders(block(rdd))).containsExactly(cluster.nodes.get(0).self);
    }
  }

  @Test
  void aCopyThatDoesNotFitIsDeclined() throws Exception {
    Ground.Source<String> rdd = rdd(StorageLevel.MEMORY_ONLY, words(50_000));
    try (Cluster large = cluster(1, true);
        Cluster small = cluster(1, true, 100_000)) {
      read(large.nodes.get(0), rdd);
      ReadBlock request = new ReadBlock(block(rdd));
      Cluster.Node holder = large.nodes.get(0);
      StorageRequest.CopyBlock copy =
          new StorageRequest.CopyBlock(request.id(), StorageLevel.MEMORY_ONLY, holder.self);
      try (var answer =
          small.nodes.get(0).transport.open(small.nodes.get(0).self.address(), copy)) {
        assertThat(answer.readAllBytes()).containsExactly(0);
      }
      assertThat(small.nodes.get(0).storage.status().storageBytes()).isZero();
    }
  }

  // ---- reports ----------------------------------------------------------------------------------

  @Test
  void whatIsPushedOutIsReported() throws Exception {
    try (Cluster cluster = cluster(1, true, 3_000_000)) {
      Cluster.Node node = cluster.nodes.get(0);
      Ground.Source<String> first = rdd(StorageLevel.MEMORY_ONLY, words(20_000));
      Ground.Source<String> onDisk = rdd(StorageLevel.MEMORY_AND_DISK, words(10_000));
      read(node, first);
      assertThat(cluster.holders(block(first))).hasSize(1);
      read(node, onDisk);
      read(node, rdd(StorageLevel.MEMORY_ONLY, words(35_000)));
      assertThat(node.storage.holds(first.id(), 0)).isFalse();
      assertThat(cluster.holders(block(first))).isEmpty();
      assertThat(node.storage.status().diskBytes()).isPositive();
      assertThat(cluster.holders(block(onDisk))).hasSize(1);
    }
  }
}
