package io.kiln.storage.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kiln.api.Partition;
import io.kiln.api.Records;
import io.kiln.api.StorageLevel;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.process.ProcessDirectory;
import io.kiln.process.disk.LocalDirectories;
import io.kiln.protocol.BlockId;
import io.kiln.storage.Ground;
import io.kiln.storage.IdleTask;
import io.kiln.storage.TaskStorage;
import io.kiln.storage.compression.CompressionCodec;
import io.kiln.storage.compression.FrameFormat;
import io.kiln.storage.compression.FrameKey;
import io.kiln.storage.memory.TaskMemory;
import io.kiln.storage.memory.UnifiedMemory;
import io.kiln.storage.serializer.ObjectSerializer;
import io.kiln.storage.serializer.SerializerChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class PersistedTest {

  private static List<String> words(int count) {
    return IntStream.range(0, count).mapToObj(i -> "word " + i).toList();
  }

  private static List<Object> build(
      BlockStore store, BlockId id, StorageLevel level, List<String> records) throws Exception {
    List<Object> all = new ArrayList<>();
    Records<String> computed = records::iterator;
    new BlockBuilder(store, id, level).build(computed).forEachRemaining(all::add);
    return all;
  }

  @Provide
  Arbitrary<StorageLevel> levels() {
    return Arbitraries.of(
        StorageLevel.DISK_ONLY,
        StorageLevel.DISK_ONLY_2,
        StorageLevel.MEMORY_ONLY,
        StorageLevel.MEMORY_ONLY_SER,
        StorageLevel.MEMORY_AND_DISK,
        StorageLevel.MEMORY_AND_DISK_SER_2,
        StorageLevel.OFF_HEAP);
  }

  @Property(tries = 60)
  void everyLevelGivesTheRecordsHoweverLittleMemoryThereIs(
      @ForAll("levels") StorageLevel level, @ForAll("counts") List<Integer> counts)
      throws Exception {
    try (Stores stores = new Stores(200_000, 50_000)) {
      for (int i = 0; i < counts.size(); i++) {
        BlockId id = new BlockId.RddBlock(i % 2, i);
        assertThat(build(stores.blocks, id, level, words(counts.get(i))))
            .isEqualTo(words(counts.get(i)));
      }
      for (int i = 0; i < counts.size(); i++) {
        Optional<Iterator<Object>> stored = stores.blocks.records(new BlockId.RddBlock(i % 2, i));
        assertThat(stored.isPresent() || !level.useDisk()).isTrue();
        if (stored.isPresent()) {
          List<Object> all = new ArrayList<>();
          stored.get().forEachRemaining(all::add);
          assertThat(all).isEqualTo(words(counts.get(i)));
        }
      }
      assertThat(stores.memory.storageBytes()).isLessThanOrEqualTo(200_000);
      stores.blocks.removeIf(_ -> true);
      assertThat(stores.memory.storageBytes()).isZero();
      assertThat(stores.blocks.usage()).isEqualTo(new BlockStore.Usage(0, 0, 0));
    }
  }

  @Provide
  Arbitrary<List<Integer>> counts() {
    return Arbitraries.integers().between(0, 6000).list().ofMinSize(1).ofMaxSize(8);
  }

  @Test
  void leastRecentlyUsedBlocksOfOthersGoFirst() throws Exception {
    try (Stores stores = new Stores(400_000, 0)) {
      for (int rdd = 0; rdd < 2; rdd++) {
        build(stores.blocks, new BlockId.RddBlock(rdd, 0), StorageLevel.MEMORY_ONLY, words(2500));
      }
      assertThat(stores.blocks.records(new BlockId.RddBlock(0, 0))).isPresent();
      build(stores.blocks, new BlockId.RddBlock(2, 0), StorageLevel.MEMORY_ONLY, words(2500));
      assertThat(stores.blocks.holds(new BlockId.RddBlock(0, 0))).isTrue();
      assertThat(stores.blocks.holds(new BlockId.RddBlock(1, 0))).isFalse();
      assertThat(stores.blocks.holds(new BlockId.RddBlock(2, 0))).isTrue();
    }
  }

  @Test
  void anRddNeverPushesItselfOut() throws Exception {
    try (Stores stores = new Stores(200_000, 0)) {
      build(stores.blocks, new BlockId.RddBlock(0, 0), StorageLevel.MEMORY_ONLY, words(2000));
      build(stores.blocks, new BlockId.RddBlock(0, 1), StorageLevel.MEMORY_ONLY, words(2000));
      assertThat(stores.blocks.holds(new BlockId.RddBlock(0, 0))).isTrue();
      assertThat(stores.blocks.holds(new BlockId.RddBlock(0, 1))).isFalse();
    }
  }

  @Test
  void executionMovesBlocksToDiskAndTheyAreStillRead() throws Exception {
    try (Stores stores = new Stores(200_000, 0);
        TaskMemory task = stores.memory.forTask("t")) {
      BlockId id = new BlockId.RddBlock(0, 0);
      build(stores.blocks, id, StorageLevel.MEMORY_AND_DISK, words(2000));
      assertThat(stores.memory.storageBytes()).isGreaterThan(100_000);
      assertThat(task.reservation("r", TaskMemory.Spiller.NOTHING).growTo(100_000)).isTrue();
      assertThat(stores.memory.storageBytes()).isZero();
      assertThat(stores.blocks.usage().diskBytes()).isPositive();
      List<Object> all = new ArrayList<>();
      stores.blocks.records(id).orElseThrow().forEachRemaining(all::add);
      assertThat(all).isEqualTo(words(2000));
    }
  }

  @Test
  void aDamagedBlockIsDropped() throws Exception {
    try (Stores stores = new Stores(200_000, 0)) {
      BlockId id = new BlockId.RddBlock(0, 0);
      build(stores.blocks, id, StorageLevel.DISK_ONLY, words(100));
      try (var files = Files.walk(stores.directory)) {
        Path file =
            files
                .filter(each -> Files.isRegularFile(each) && !each.endsWith(ProcessDirectory.LOCK))
                .findFirst()
                .orElseThrow();
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
      }
      assertThat(stores.blocks.records(id)).isEmpty();
      assertThat(stores.blocks.holds(id)).isFalse();
    }
  }

  @Test
  void oneTaskComputesWhileTheOthersWait() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Ground.Source<String> rdd =
        Ground.source(
            List.of(words(10)),
            () -> {
              begun.countDown();
              go.await();
              return null;
            });
    rdd.persist(StorageLevel.MEMORY_ONLY);
    try (Ground ground = new Ground(1 << 20);
        TaskStorage killed = ground.newTask();
        ExecutorService threads = Executors.newCachedThreadPool()) {
      Partition split = rdd.partitions().getFirst();
      Future<List<String>> first =
          threads.submit(() -> Ground.pull(ground.newTask().persisted(rdd, split, new IdleTask())));
      begun.await();
      Future<List<String>> second =
          threads.submit(() -> Ground.push(ground.newTask().persisted(rdd, split, new IdleTask())));
      Future<List<String>> third =
          threads.submit(() -> Ground.push(killed.persisted(rdd, split, new IdleTask())));
      killed.cancel("enough");
      assertThat(catchThrowable(third::get)).hasMessageContaining("enough");
      go.countDown();
      assertThat(first.get()).isEqualTo(words(10));
      assertThat(second.get()).isEqualTo(words(10));
      assertThat(rdd.computed).hasValue(1);
      assertThat(ground.storage.holds(rdd.id(), 0)).isTrue();
      ground.storage.removeRdd(rdd.id());
      assertThat(ground.storage.holds(rdd.id(), 0)).isFalse();
    }
  }

  @Test
  void whatDoesNotFitHoldsItsMemoryAsLongAsItsRecords() throws Exception {
    try (Stores stores = new Stores(200_000, 0)) {
      for (StorageLevel level : List.of(StorageLevel.MEMORY_ONLY, StorageLevel.MEMORY_ONLY_SER)) {
        Records<String> computed = words(60_000)::iterator;
        Iterator<Object> read =
            new BlockBuilder(stores.blocks, new BlockId.RddBlock(0, 0), level).build(computed);
        assertThat(stores.memory.storageBytes()).isPositive();
        List<Object> all = new ArrayList<>();
        read.forEachRemaining(all::add);
        assertThat(all).isEqualTo(words(60_000));
        assertThat(stores.memory.storageBytes()).isZero();

        Iterator<Object> givenUp =
            new BlockBuilder(stores.blocks, new BlockId.RddBlock(0, 0), level).build(computed);
        assertThat(stores.memory.storageBytes()).isPositive();
        ((AutoCloseable) givenUp).close();
        assertThat(stores.memory.storageBytes()).isZero();
      }
    }
  }

  @Test
  void aValueOnDiskIsReadOnceAndItsFileClosed() throws Exception {
    try (Stores stores = new Stores(200_000, 0)) {
      BlockId id = new BlockId.BroadcastBlock(1);
      List<String> value = words(200_000); // its file is read in pieces
      stores.blocks.build(id, StorageLevel.DISK_ONLY, List.<Object>of(value).iterator());

      Object read = stores.blocks.value(id).orElseThrow();
      assertThat(read).isEqualTo(value);
      assertThat(stores.blocks.value(id).orElseThrow()).isSameAs(read);
      assertThat(openFiles())
          .noneMatch(
              file -> file.startsWith(stores.directory) && !file.endsWith(ProcessDirectory.LOCK));
      stores.blocks.removeIf(id::equals);
      assertThat(stores.blocks.value(id)).isEmpty();
    }
  }

  private static List<Path> openFiles() throws IOException {
    List<Path> files = new ArrayList<>();
    try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        fileOf(descriptor).ifPresent(files::add);
      }
    }
    return files;
  }

  private static Optional<Path> fileOf(Path descriptor) throws IOException {
    try {
      return Optional.of(Files.readSymbolicLink(descriptor));
    } catch (NoSuchFileException e) { // closed since
      return Optional.empty();
    }
  }

  @Test
  void aBroadcastIsKeptUntilRemoved() throws Exception {
    try (Ground ground = new Ground(100_000)) {
      ground.storage.putBroadcast(7, words(10));
      assertThat(ground.storage.broadcast(7)).contains(words(10));
      ground.storage.putBroadcast(8, words(100_000));
      assertThat(ground.storage.broadcast(8)).contains(words(100_000));
      assertThat(ground.storage.status().diskBytes()).isPositive();
      ground.storage.removeBroadcast(7);
      assertThat(ground.storage.broadcast(7)).isEmpty();
    }
  }

  /// A block store of its own.
  private static final class Stores implements AutoCloseable {
    private final Path directory = Ground.newDirectory();
    private final LocalDirectories directories = LocalDirectories.open(List.of(directory));
    private final UnifiedMemory memory;
    private final BlockStore blocks;

    Stores(long heapBytes, long offHeapBytes) {
      memory = new UnifiedMemory(heapBytes, 0);
      blocks =
          new BlockStore(
              memory,
              offHeapBytes,
              directories,
              new ObjectSerializer(
                  SerializerChoice.KILN,
                  ApplicationClasses.of(PersistedTest.class.getClassLoader())),
              new FrameFormat(CompressionCodec.LZ4, FrameKey.NONE),
              4096,
              BlockReports.NOBODY);
    }

    @Override
    public void close() throws IOException {
      directories.close();
      Files.delete(directory);
    }
  }
}
