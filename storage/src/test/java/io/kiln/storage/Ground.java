package io.kiln.storage;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.Records;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.TaskContext;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.shuffle.MapOutput;
import io.kiln.storage.shuffle.ShuffleWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// A storage in a directory of its own, and what tests do with it.
public final class Ground implements AutoCloseable {
  private static final AtomicLong nextTask = new AtomicLong();
  private static final KilnContext context = KilnContext.create(new KilnConf(false));

  public final Path directory;
  public final LocalStorage storage;

  public Ground(long engineBytes) {
    this(options -> options.withMemory(StorageOptions.MemoryOptions.ofEngine(engineBytes)));
  }

  public Ground(java.util.function.UnaryOperator<StorageOptions> change) {
    directory = newDirectory();
    storage =
        LocalStorage.open(
            change.apply(StorageOptions.in(directory)),
            ApplicationClasses.of(Ground.class.getClassLoader()));
  }

  public static Path newDirectory() {
    try {
      return Files.createTempDirectory("kiln-storage-test");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static KilnContext context() {
    return context;
  }

  public TaskStorage newTask() {
    return storage.forTask(nextTask.getAndIncrement());
  }

  /// A parent with as many partitions as there are map tasks.
  public static <T> Source<T> source(List<List<T>> partitions) {
    return source(partitions, () -> null);
  }

  /// @param beforeEach called before a partition is computed
  public static <T> Source<T> source(List<List<T>> partitions, Callable<Void> beforeEach) {
    return new Source<>(partitions, beforeEach);
  }

  /// Runs a map task.
  public <K, V> MapOutput write(
      ShuffleDependency<K, V, ?> shuffle, int mapPartition, List<Pair<K, V>> records)
      throws Exception {
    try (TaskStorage task = newTask()) {
      ShuffleWriter<K, V> writer = task.shuffleWriter(shuffle, mapPartition);
      for (Pair<K, V> record : records) {
        writer.accept(record);
      }
      return writer.commit();
    }
  }

  /// Runs a reduce task.
  public <K, C> List<Pair<K, C>> read(ShuffleDependency<K, ?, C> shuffle, int first, int end)
      throws Exception {
    try (TaskStorage task = newTask()) {
      return pull(task.readShuffle(shuffle, first, end));
    }
  }

  public static <T> List<T> pull(Records<T> records) throws Exception {
    List<T> all = new ArrayList<>();
    records.iterator().forEachRemaining(all::add);
    return all;
  }

  public static <T> List<T> push(Records<T> records) throws Exception {
    List<T> all = new ArrayList<>();
    records.forEach(all::add);
    return all;
  }

  /// Everything was given back: memory, and files apart from those of shuffles and blocks.
  public void assertNothingLeft() throws IOException {
    StorageStatus status = storage.status();
    if (status.executionBytes() != 0) {
      throw new AssertionError("execution memory leaked: " + status);
    }
    try (var files = Files.walk(directory)) {
      List<Path> spills =
          files
              .filter(Files::isRegularFile)
              .filter(file -> file.toString().contains("spills"))
              .toList();
      if (!spills.isEmpty()) {
        throw new AssertionError("spills are left: " + spills);
      }
    }
  }

  @Override
  public void close() throws IOException {
    storage.close();
    try (var left = Files.list(directory)) {
      List<Path> files = left.toList();
      if (!files.isEmpty()) {
        throw new AssertionError("files are left: " + files);
      }
    }
    Files.delete(directory);
  }

  /// An RDD over given records that counts how often it is computed.
  public static final class Source<T> extends RDD<T> {
    private static final long serialVersionUID = 1L;

    private final transient List<List<T>> records;
    public final transient AtomicInteger computed = new AtomicInteger();

    private final transient Callable<Void> beforeEach;

    private Source(List<List<T>> records, Callable<Void> beforeEach) {
      super(context, List.of());
      this.beforeEach = beforeEach;
      this.records = records;
    }

    @Override
    protected List<Partition> computePartitions() {
      List<Partition> partitions = new ArrayList<>();
      for (int i = 0; i < records.size(); i++) {
        int index = i;
        partitions.add(() -> index);
      }
      return partitions;
    }

    @Override
    public Iterator<T> compute(Partition split, TaskContext task) throws Exception {
      computed.incrementAndGet();
      Void _ = beforeEach.call();
      return records.get(split.index()).iterator();
    }
  }
}
