package io.kiln.storage.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.HashPartitioner;
import io.kiln.api.Pair;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.StorageLevel;
import io.kiln.storage.Ground;
import io.kiln.storage.StorageOptions.MemoryOptions;
import io.kiln.storage.TaskStorage;
import io.kiln.storage.compression.CompressionCodec;
import io.kiln.storage.compression.CompressionOptions;
import io.kiln.storage.compression.FrameKey;
import io.kiln.storage.shuffle.ShuffleWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// With a key, no byte of the user's lies on a disk as it is, and all is read as before.
@Timeout(60)
class EncryptionTest {
  private static final String MARK = "the user's secret";
  private static final int RECORDS = 20_000;

  private static boolean isOnDisk(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(MARK)) {
          return true;
        }
      }
    }
    return false;
  }

  private static Cluster cluster(boolean encrypted) throws IOException {
    FrameKey key = encrypted ? FrameKey.of(new byte[16]) : FrameKey.NONE;
    return new Cluster(
        2,
        false,
        options ->
            options
                .withMemory(MemoryOptions.ofEngine(300_000))
                .withCompression(
                    new CompressionOptions(CompressionCodec.NONE, false, false, false, key)),
        Cluster.OPTIONS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shufflesAndSpills(boolean encrypted) throws Exception {
    List<Pair<Integer, String>> records =
        IntStream.range(0, RECORDS).mapToObj(i -> new Pair<>(i, MARK + i)).toList();
    ShuffleDependency<Integer, String, String> shuffle =
        ShuffleDependency.<Integer, String, String>builder(
                Ground.source(List.of(records)), new HashPartitioner(2))
            .build();
    try (Cluster cluster = cluster(encrypted)) {
      Cluster.Node holder = cluster.nodes.get(1);
      try (TaskStorage task = holder.newTask()) {
        ShuffleWriter<Integer, String> writer = task.shuffleWriter(shuffle, 0);
        for (Pair<Integer, String> record : records) {
          writer.accept(record);
        }
        assertThat(task.metrics().spill().diskBytes()).isPositive();
        assertThat(isOnDisk(holder.directory)).isEqualTo(!encrypted);
        writer.commit();
      }
      cluster.outputs(shuffle.shuffleId()).put(0, holder.self);
      assertThat(isOnDisk(holder.directory)).isEqualTo(!encrypted);
      for (Cluster.Node node : cluster.nodes) {
        assertThat(node.read(shuffle, 0, 2)).containsExactlyInAnyOrderElementsOf(records);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void blocks(boolean encrypted) throws Exception {
    List<String> words = IntStream.range(0, RECORDS).mapToObj(i -> MARK + i).toList();
    try (Cluster cluster = cluster(encrypted)) {
      for (StorageLevel level :
          List.of(
              StorageLevel.DISK_ONLY,
              StorageLevel.MEMORY_AND_DISK,
              StorageLevel.MEMORY_AND_DISK_SER)) {
        Ground.Source<String> rdd = Ground.source(List.of(words));
        rdd.persist(level);
        for (Cluster.Node node : cluster.nodes) {
          assertThat(RemoteBlocksTest.read(node, rdd)).isEqualTo(words);
        }
        assertThat(rdd.computed).hasValue(1);
        assertThat(isOnDisk(cluster.nodes.get(0).directory)).isEqualTo(!encrypted);
        cluster.nodes.get(0).storage.removeRdd(rdd.id());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void broadcasts(boolean encrypted) throws Exception {
    Random random = new Random(1); // so that compressed pieces don't fit in memory
    List<String> words =
        IntStream.range(0, RECORDS)
            .mapToObj(_ -> MARK + Long.toHexString(random.nextLong()) + random.nextLong())
            .toList();
    try (Cluster cluster = cluster(encrypted)) {
      cluster.nodes.get(0).storage.shared().publish(1, words);
      assertThat(cluster.nodes.get(1).storage.shared().value(1)).isEqualTo(words);
      for (Cluster.Node node : cluster.nodes) {
        assertThat(isOnDisk(node.directory)).isEqualTo(!encrypted);
      }
    }
  }
}
