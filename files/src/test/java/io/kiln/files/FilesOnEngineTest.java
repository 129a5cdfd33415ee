package io.kiln.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.BinaryFile;
import io.kiln.api.JobFuture;
import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.TaskContext;
import io.kiln.base.resource.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Inputs and outputs through jobs of the real engine, with tasks that fail.
class FilesOnEngineTest {
  private static final AtomicInteger COMPUTED = new AtomicInteger();
  private static final Semaphore READING = new Semaphore(0);

  @TempDir Path root;
  private KilnContext context;
  private final PathFileFormats formats = new PathFileFormats();

  @BeforeEach
  void start() {
    COMPUTED.set(0);
    context =
        KilnContext.create(new KilnConf(false).setMaster("local[2,3]").setAppName("files test"));
  }

  @AfterEach
  void stop() {
    context.close();
  }

  @Test
  void wholeFilesOfADirectoryThatHoldsDirectories() throws Exception {
    Files.createDirectories(root.resolve("in/inner"));
    Files.writeString(root.resolve("in/a.txt"), "a");
    Files.writeString(root.resolve("in/inner/b.txt"), "b");
    String in = root.resolve("in").toString();
    assertThat(formats.wholeTextFiles(context, in, 2).map(Pair::value).collect())
        .containsExactly("a");
    assertThat(
            formats.binaryFiles(context, in, 2).map(file -> file.key().endsWith("a.txt")).collect())
        .containsExactly(true);
    assertThatThrownBy(() -> formats.textFile(context, in, 2)).hasMessageContaining("inner");
  }

  @Test
  void anEmptyRddIsCheckpointed() {
    context.setCheckpointDir(root.resolve("checkpoints").toString());
    RDD<String> none = context.<String>emptyRDD().map(text -> text + "!");
    none.checkpoint();
    assertThat(none.count()).isZero();
    assertThat(none.isCheckpointed()).isTrue();
    assertThat(none.collect()).isEmpty();
  }

  @Test
  void textWrittenAndReadInBothForms() throws Exception {
    RDD<Integer> numbers = numbers(1000, 4);
    for (Optional<String> codec :
        List.of(Optional.<String>empty(), Optional.of("gzip"), Optional.of("zstd"))) {
      Path out = root.resolve("text-" + codec.orElse("plain"));
      formats.saveAsTextFile(numbers, out.toString(), codec);
      String extension = Compression.ofCodec(codec).map(Compression::extension).orElse("");
      assertThat(names(out))
          .containsExactly(
              "_SUCCESS",
              "part-00000" + extension,
              "part-00001" + extension,
              "part-00002" + extension,
              "part-00003" + extension);
      List<String> expected = IntStream.range(0, 1000).mapToObj(String::valueOf).toList();
      RDD<String> lines = formats.textFile(context, out.toString(), 9);
      assertThat(lines.collect()).isEqualTo(expected);
      assertThat(
              context.runJob(lines, (_, records) -> pull(records.iterator())).stream()
                  .flatMap(List::stream)
                  .toList())
          .isEqualTo(expected);
      assertThat(lines.take(3)).containsExactly("0", "1", "2");
    }
  }

  @Test
  void aTaskThatFailsOnceLeavesNoTrace() throws Exception {
    Path out = root.resolve("out");
    RDD<Integer> failing =
        numbers(100, 4)
            .map(
                number -> {
                  TaskContext task = TaskContext.current().orElseThrow();
                  if (number % 25 == 20 && task.attemptNumber() == 0) {
                    throw new IllegalStateException("first attempt");
                  }
                  return number;
                });
    formats.saveAsTextFile(failing, out.toString(), Optional.empty());
    assertThat(names(out))
        .containsExactly("_SUCCESS", "part-00000", "part-00001", "part-00002", "part-00003");
    assertThat(formats.textFile(context, out.toString(), 1).collect())
        .isEqualTo(IntStream.range(0, 100).mapToObj(String::valueOf).toList());
  }

  @Test
  void aJobThatFailsLeavesNoDirectory() {
    Path out = root.resolve("made/out");
    RDD<Integer> failing =
        numbers(100, 4)
            .map(
                number -> {
                  if (number == 99) {
                    throw new IllegalStateException("always");
                  }
                  return number;
                });
    assertThatThrownBy(() -> formats.saveAsTextFile(failing, out.toString(), Optional.empty()))
        .isInstanceOf(KilnException.class);
    assertThatThrownBy(() -> formats.saveAsObjectFile(failing, out.toString()))
        .isInstanceOf(KilnException.class);
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void whatCannotBeIsRefusedBeforeAnyTask() throws Exception {
    RDD<Integer> counted =
        numbers(10, 2)
            .map(
                number -> {
                  COMPUTED.incrementAndGet();
                  return number;
                });
    Path existing = Files.createDirectory(root.resolve("existing"));
    assertCode(
        "OUTPUT_PATH_EXISTS",
        () -> formats.saveAsTextFile(counted, existing.toString(), Optional.empty()));
    assertCode(
        "CODEC_UNSUPPORTED",
        () -> formats.saveAsTextFile(counted, root.resolve("x").toString(), Optional.of("rar")));
    assertCode("INPUT_PATH_MISSING", () -> formats.textFile(context, root + "/none", 2));
    assertCode("SCHEME_UNSUPPORTED", () -> formats.textFile(context, "hdfs://host/none", 2));
    assertThat(COMPUTED).hasValue(0);
    assertThat(names(root)).containsExactly("existing");
  }

  @Test
  void objectsWrittenAndRead() {
    RDD<Pair<Integer, String>> pairs = numbers(5000, 3).map(i -> Pair.of(i, "value " + i));
    Path out = root.resolve("objects");
    formats.saveAsObjectFile(pairs, out.toString());
    RDD<Pair<Integer, String>> read = formats.objectFile(context, out.toString(), 2);
    assertThat(read.collect()).isEqualTo(pairs.collect());
  }

  @Test
  void checkpointHasTheSamePartitionsAndIsNotComputedAgain() throws IOException {
    RDD<Integer> counted =
        numbers(100, 5)
            .map(
                number -> {
                  COMPUTED.incrementAndGet();
                  return number;
                });
    RDD<Integer> checkpoint = formats.checkpoint(counted, root.resolve("checkpoint").toString());
    assertThat(COMPUTED).hasValue(100);
    assertThat(checkpoint.glom().collect()).isEqualTo(numbers(100, 5).glom().collect());
    assertThat(COMPUTED).hasValue(100);
    FileTree.remove(root.resolve("checkpoint"));
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void aCheckpointedRddIsReadBackAndForgetsWhatItCameFrom() {
    context.setCheckpointDir(root.resolve("checkpoints").toString());
    RDD<Pair<Integer, Integer>> sums =
        numbers(100, 5)
            .mapToPair(
                n -> {
                  COMPUTED.incrementAndGet();
                  return Pair.of(n % 7, n);
                })
            .reduceByKey(Integer::sum, 3)
            .map(sum -> sum);
    sums.checkpoint();
    List<List<Pair<Integer, Integer>>> first = sums.glom().collect();
    assertThat(sums.isCheckpointed()).isTrue();
    assertThat(sums.dependencies()).noneMatch(ShuffleDependency.class::isInstance);
    int computedOnce = COMPUTED.get();
    assertThat(sums.glom().collect()).isEqualTo(first);
    assertThat(sums.mapToPair(sum -> sum).mapValues(n -> n + 1).count()).isEqualTo(7);
    assertThat(COMPUTED).hasValue(computedOnce);
  }

  /// They know the partitions that the checkpointed one had before.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatHasRunBeforeACheckpointRunsAfterIt(boolean reliable) {
    context.setCheckpointDir(root.resolve("checkpoints").toString());
    RDD<Integer> doubled = context.parallelize(List.of(1, 2, 3, 4), 2).map(n -> n * 2);
    RDD<Integer> filtered = doubled.filter(n -> n > 2);
    RDD<Integer> both = doubled.union(doubled);
    RDD<Integer> coalesced = doubled.coalesce(1);
    PairRDD<Integer, Integer> zipped = doubled.zip(doubled.map(n -> -n));
    PairRDD<Integer, Integer> summed =
        doubled.mapToPair(n -> Pair.of(n, n)).reduceByKey(Integer::sum);
    for (RDD<?> child : List.of(filtered, both, coalesced, zipped, summed)) {
      assertThat(child.numPartitions()).isPositive();
    }
    if (reliable) {
      doubled.checkpoint();
    } else {
      doubled.localCheckpoint();
    }
    assertThat(filtered.count()).isEqualTo(3);
    assertThat(doubled.isCheckpointed()).isTrue();

    assertThat(filtered.collect()).containsExactly(4, 6, 8);
    assertThat(both.collect()).containsExactly(2, 4, 6, 8, 2, 4, 6, 8);
    assertThat(coalesced.collect()).containsExactly(2, 4, 6, 8);
    assertThat(zipped.values().collect()).containsExactly(-2, -4, -6, -8);
    assertThat(summed.mapValues(n -> n + 1).values().collect())
        .containsExactlyInAnyOrder(3, 5, 7, 9);
    assertThat(doubled.map(n -> n + 1).collect()).containsExactly(3, 5, 7, 9);
  }

  @Test
  void aTaskThatReadsLinesStopsWhenItIsCancelled() throws Exception {
    Path text = root.resolve("lines.txt");
    Files.writeString(text, "line\n".repeat(1_000_000));
    READING.drainPermits();
    RDD<String> lines = context.textFile(text.toString(), 2).map(FilesOnEngineTest::slowly);
    JobFuture<Long> counting = lines.countAsync();
    assertThat(READING.tryAcquire(100, 30, TimeUnit.SECONDS)).isTrue();
    counting.cancel(true);
    assertThatThrownBy(counting::get).isInstanceOf(CancellationException.class);
    // both slots are free again, long before a thousand seconds are over
    assertThat(numbers(10, 2).count()).isEqualTo(10);
  }

  private static String slowly(String line) {
    READING.release();
    long start = System.nanoTime();
    while (System.nanoTime() - start < 1_000_000) {
      Thread.onSpinWait();
    }
    return line;
  }

  @Test
  void wholeFiles() throws Exception {
    for (int i = 0; i < 6; i++) {
      Files.writeString(root.resolve("file-" + i), "text\nof " + i);
    }
    List<Pair<String, String>> expected =
        IntStream.range(0, 6)
            .mapToObj(i -> Pair.of("file:" + root + "/file-" + i, "text\nof " + i))
            .toList();
    RDD<Pair<String, String>> texts = formats.wholeTextFiles(context, root.toString(), 3);
    assertThat(texts.numPartitions()).isEqualTo(3);
    assertThat(texts.collect()).isEqualTo(expected);
    RDD<Pair<String, BinaryFile>> files = formats.binaryFiles(context, root.toString(), 2);
    assertThat(
            files
                .map(file -> Pair.of(file.key(), new String(file.value().readAllBytes(), UTF_8)))
                .collect())
        .isEqualTo(expected);
  }

  @Test
  void recordsOfOneLength() throws Exception {
    byte[] bytes = new byte[7 * 1001];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i / 7);
    }
    Path file = Files.write(root.resolve("records"), bytes);
    RDD<byte[]> records = formats.binaryRecords(context, file.toString(), 7);
    assertThat(records.numPartitions()).isGreaterThan(1);
    List<byte[]> collected = records.collect();
    assertThat(collected).hasSize(1001);
    for (int i = 0; i < collected.size(); i++) {
      assertThat(collected.get(i)).hasSize(7).containsOnly((byte) i);
    }
    assertCode(
        "RECORD_LENGTH_INVALID", () -> formats.binaryRecords(context, file.toString(), 1000));
  }

  @Test
  void emptyInputs() throws Exception {
    Files.createFile(root.resolve("empty"));
    assertThat(formats.textFile(context, root.resolve("empty").toString(), 2).collect()).isEmpty();
    assertThat(formats.textFile(context, root.toString(), 2).count()).isZero();
  }

  private RDD<Integer> numbers(int count, int slices) {
    return context.parallelize(IntStream.range(0, count).boxed().toList(), slices);
  }

  private static List<String> pull(Iterator<String> lines) {
    List<String> pulled = new ArrayList<>();
    lines.forEachRemaining(pulled::add);
    return pulled;
  }

  private static void assertCode(String code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(KilnException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      return children.map(child -> child.getFileName().toString()).sorted().toList();
    }
  }
}
