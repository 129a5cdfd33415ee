package io.kiln.storage.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.HashPartitioner;
import io.kiln.api.Pair;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.StorageLevel;
import io.kiln.network.transport.Content;
import io.kiln.network.transport.ContentSource;
import io.kiln.shuffle.server.ShuffleRequest;
import io.kiln.storage.Ground;
import io.kiln.storage.remote.Departure.OutputMoves;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a process has is to be had from others once it has gone.
@Timeout(60)
class DepartureTest {
  private static final int MAPS = 5;
  private static final int REDUCERS = 3;

  private static ShuffleDependency<Integer, byte[], byte[]> shuffle() {
    List<List<Pair<Integer, byte[]>>> partitions = Collections.nCopies(MAPS, List.of());
    return ShuffleDependency.<Integer, byte[], byte[]>builder(
            Ground.source(partitions), new HashPartitioner(REDUCERS))
        .build();
  }

  private static List<Pair<Integer, byte[]>> records(int map, int bytes) {
    Random random = new Random(map);
    return IntStream.range(0, 20)
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
        .map(pair -> pair.key() + ":" + Arrays.hashCode(pair.value()))
        .sorted()
        .toList();
  }

  /// Writes all from one node.
  private static List<Pair<Integer, byte[]>> write(
      Cluster.Node node, ShuffleDependency<Integer, byte[], byte[]> shuffle, int bytes)
      throws Exception {
    List<Pair<Integer, byte[]>> all = new ArrayList<>();
    for (int map = 0; map < MAPS; map++) {
      all.addAll(records(map, bytes));
      node.write(shuffle, map, records(map, bytes));
    }
    return all;
  }

  /// Believes all that it is told.
  private static OutputMoves driver(Cluster cluster) {
    return (shuffleId, maps, to) -> {
      for (int map : maps) {
        cluster.outputs(shuffleId).put(map, to);
      }
      return cluster.mapOutputs(shuffleId);
    };
  }

  private static void leave(Cluster.Node node, OutputMoves driver) throws Exception {
    Departure departure = node.storage.departure(driver);
    departure.drained();
    departure.run();
    node.serve(
        _ ->
            (_, request) -> {
              throw new IOException("it has left, and is asked for " + request);
            });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void mapOutputsAreReadWhereTheyWereMovedTo(boolean secured) throws Exception {
    ShuffleDependency<Integer, byte[], byte[]> shuffle = shuffle();
    try (Cluster cluster = new Cluster(3, secured)) {
      Cluster.Node leaving = cluster.nodes.getFirst();
      List<Pair<Integer, byte[]>> all = write(leaving, shuffle, 1_000);
      leave(leaving, driver(cluster));

      assertThat(cluster.outputs(shuffle.shuffleId()).values())
          .as("spread over those that stay")
          .contains(cluster.nodes.get(1).self, cluster.nodes.get(2).self)
          .doesNotContain(leaving.self);
      for (Cluster.Node node : cluster.nodes.subList(1, 3)) {
        assertThat(shown(node.read(shuffle, 0, REDUCERS))).isEqualTo(shown(all));
      }
    }
  }

  static List<StorageLevel> levels() {
    return List.of(StorageLevel.MEMORY_ONLY, StorageLevel.DISK_ONLY, StorageLevel.MEMORY_ONLY_2);
  }

  @ParameterizedTest
  @MethodSource("levels")
  void blocksAreKeptByAsManyOthersAsTheirLevelAsksFor(StorageLevel level) throws Exception {
    Ground.Source<String> rdd = Ground.source(List.of(List.of("a", "b", "c")));
    rdd.persist(level);
    try (Cluster cluster = new Cluster(4, true)) {
      RemoteBlocksTest.read(cluster.nodes.getFirst(), rdd);
      leave(cluster.nodes.getFirst(), driver(cluster));

      long holders =
          cluster.nodes.stream().skip(1).filter(node -> node.storage.holds(rdd.id(), 0)).count();
      assertThat(holders).isEqualTo(level.replication());
      assertThat(RemoteBlocksTest.read(cluster.nodes.getLast(), rdd))
          .containsExactly("a", "b", "c");
      assertThat(rdd.computed.get()).isEqualTo(1);
    }
  }

  @Test
  void whoHasNoRoomDeclinesAndAnotherIsAsked() throws Exception {
    ShuffleDependency<Integer, byte[], byte[]> shuffle = shuffle();
    try (Cluster cluster = new Cluster(2, true)) {
      Cluster.Node leaving = cluster.nodes.getFirst();
      write(leaving, shuffle, 20_000); // 400 kB each, and there may be 1 MiB of them
      leave(leaving, driver(cluster));

      assertThat(cluster.outputs(shuffle.shuffleId()).values())
          .filteredOn(cluster.nodes.getLast().self::equals)
          .hasSize(2);
    }
  }

  @Test
  void oneThatCameDamagedIsNotTaken() throws Exception {
    ShuffleDependency<Integer, byte[], byte[]> shuffle = shuffle();
    try (Cluster cluster = new Cluster(2, true)) {
      Cluster.Node leaving = cluster.nodes.getFirst();
      write(leaving, shuffle, 100);
      try (RandomAccessFile file =
          new RandomAccessFile(leaving.file(shuffle.shuffleId()).toFile(), "rw")) {
        long at = file.length() - 200; // before what describes the last output
        file.seek(at);
        int stored = file.read();
        file.seek(at);
        file.write(stored ^ 1);
      }
      leave(leaving, driver(cluster));

      assertThat(cluster.outputs(shuffle.shuffleId()))
          .containsEntry(MAPS - 1, leaving.self)
          .containsEntry(1, cluster.nodes.getLast().self);
    }
  }

  /// The holder breaks off after some segments, and from then on others have the rest.
  @Test
  void whoReadsWhileItLeavesGoesOnElsewhere() throws Exception {
    ShuffleDependency<Integer, byte[], byte[]> shuffle = shuffle();
    try (Cluster cluster = new Cluster(3, true)) {
      Cluster.Node leaving = cluster.nodes.getFirst();
      List<Pair<Integer, byte[]>> all = write(leaving, shuffle, 20_000);
      AtomicInteger pieces = new AtomicInteger();
      leaving.serve(source -> breakingOff(source, pieces, () -> moveAll(cluster, leaving)));

      assertThat(shown(cluster.nodes.getLast().read(shuffle, 0, REDUCERS))).isEqualTo(shown(all));
      assertThat(pieces.get()).isEqualTo(3);
    }
  }

  private interface Moving {
    void run() throws Exception;
  }

  private static void moveAll(Cluster cluster, Cluster.Node leaving) throws Exception {
    Departure departure = leaving.storage.departure(driver(cluster));
    departure.drained();
    departure.run();
  }

  /// The first reader gets two pieces; those who copy get all.
  private static ContentSource breakingOff(
      ContentSource source, AtomicInteger pieces, Moving moving) {
    return (from, request) -> {
      Content content = source.open(from, request);
      boolean isReader =
          request instanceof ShuffleRequest.FetchShuffle fetch && fetch.mapPartitions().length > 1;
      if (!isReader) {
        return content;
      }
      Content.OfPieces whole = (Content.OfPieces) content;
      return new Content.OfPieces(
          whole.lengthBytes(),
          () -> {
            if (pieces.incrementAndGet() < 3) {
              return whole.pieces().next();
            }
            try {
              moving.run();
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
            throw new IOException("it breaks off");
          });
    };
  }
}
