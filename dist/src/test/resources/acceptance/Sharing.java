package acceptance;

import acceptance.Data.Word;
import io.kiln.api.Broadcast;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnFiles;
import io.kiln.api.RDD;
import io.kiln.api.accumulator.Accumulator;
import io.kiln.api.accumulator.CollectionAccumulator;
import io.kiln.api.accumulator.DoubleAccumulator;
import io.kiln.api.accumulator.LongAccumulator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// What driver and tasks share: broadcasts, accumulators, files and jars.
final class Sharing {
  private Sharing() {}

  /// @param jar has the class `late.Greeting`, which is in no other
  static void check(KilnContext sc, Checks c, Path directory, String jar) throws Exception {
    broadcasts(sc, c);
    accumulators(sc, c);
    files(sc, c, directory, jar);
  }

  private static void broadcasts(KilnContext sc, Checks c) {
    c.group("broadcasts");
    RDD<Integer> numbers = sc.parallelize(List.of(0, 1, 2), 3);
    Broadcast<List<Word>> words = sc.broadcast(Data.WORDS);
    c.equal("value in the driver", Data.WORDS, words::value);
    List<Word> three = Data.WORDS.subList(0, 3);
    c.equal("value", three, () -> numbers.map(n -> words.value().get(n)).collect());
    c.equal(
        "value after unpersist",
        three,
        () -> {
          words.unpersist();
          return numbers.map(n -> words.value().get(n)).collect();
        });
    Broadcast<List<Object>> kinds = sc.broadcast(Data.kinds());
    c.holds("ids", () -> kinds.id() != words.id());
    c.equal(
        "of many kinds",
        Data.kinds().subList(0, 3),
        () -> numbers.map(n -> kinds.value().get(n)).collect());
    c.fails(
        "value after destroy",
        "destroyed",
        () -> {
          kinds.destroy();
          return numbers.map(n -> kinds.value().get(n)).collect();
        });
  }

  /// An accumulator of the program's: the texts, in order, once each.
  static final class Texts extends Accumulator<Word, TreeSet<String>> {
    private TreeSet<String> texts = new TreeSet<>();

    @Override
    public synchronized boolean isZero() {
      return texts.isEmpty();
    }

    @Override
    public synchronized Texts copy() {
      Texts copy = new Texts();
      copy.texts = new TreeSet<>(texts);
      return copy;
    }

    @Override
    public synchronized void reset() {
      texts.clear();
    }

    @Override
    public synchronized void add(Word word) {
      texts.add(word.text());
    }

    @Override
    public synchronized void merge(Accumulator<Word, TreeSet<String>> other) {
      texts.addAll(other.value());
    }

    @Override
    public synchronized TreeSet<String> value() {
      return texts;
    }
  }

  private static void accumulators(KilnContext sc, Checks c) {
    c.group("accumulators");
    LongAccumulator longs = sc.longAccumulator();
    LongAccumulator boxed = sc.longAccumulator("boxed");
    DoubleAccumulator doubles = sc.doubleAccumulator();
    DoubleAccumulator boxedDoubles = sc.doubleAccumulator("boxed doubles");
    CollectionAccumulator<Word> words = sc.collectionAccumulator();
    CollectionAccumulator<Integer> seen = sc.collectionAccumulator("seen");
    Texts texts = new Texts();
    Texts named = new Texts();
    sc.register(texts);
    sc.register(named, "texts");
    sc.parallelize(Data.WORDS, 3)
        .foreach(
            word -> {
              longs.add(1L);
              boxed.add(Long.valueOf(word.weight()));
              doubles.add(0.5);
              boxedDoubles.add(Double.valueOf(word.weight()));
              words.add(word);
              seen.add(named.isInDriver() ? 1 : 0);
              texts.ofTask().add(word);
            });
    long weights = Data.WORDS.stream().mapToInt(Word::weight).sum();
    c.equal("long", 11L, longs::value);
    c.equal(
        "long's parts",
        List.of(weights, 11L, weights / 11.0),
        () -> List.of(boxed.sum(), boxed.count(), boxed.average()));
    c.equal("double", 5.5, doubles::value);
    c.equal(
        "double's parts",
        List.of((double) weights, 11L, weights / 11.0),
        () -> List.of(boxedDoubles.sum(), boxedDoubles.count(), boxedDoubles.average()));
    c.bag("collection", Data.WORDS, words::value);
    c.bag("isInDriver in tasks", List.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), seen::value);
    LongAccumulator own = new LongAccumulator();
    DoubleAccumulator ownDoubles = new DoubleAccumulator();
    CollectionAccumulator<Integer> ownList = new CollectionAccumulator<>();
    List.of(own, ownDoubles, ownList).forEach(sc::register);
    sc.parallelize(List.of(1, 2, 3), 3)
        .foreach(
            n -> {
              own.add(n);
              ownDoubles.add(n);
              ownList.add(n);
            });
    c.equal(
        "made by the program",
        List.of(6L, 6.0, 3),
        () -> List.of(own.value(), ownDoubles.value(), ownList.value().size()));
    c.equal(
        "of the program",
        new TreeSet<>(Data.WORDS.stream().map(Word::text).toList()),
        texts::value);
    c.equal("name", Optional.of("texts"), named::name);
    c.equal(
        "registered",
        List.of(true, true, true),
        () -> List.of(named.isRegistered(), named.isZero(), named.isInDriver()));
    c.holds("ids", () -> named.id() != texts.id());
    c.equal(
        "copies, merged",
        List.of(22L, 11.0, 22, false),
        () -> {
          LongAccumulator twice = longs.copy();
          twice.merge(longs);
          DoubleAccumulator twiceDoubles = doubles.copy();
          twiceDoubles.merge(doubles);
          CollectionAccumulator<Word> twiceWords = words.copy();
          twiceWords.merge(words);
          return List.of(
              twice.value(), twiceDoubles.value(), twiceWords.value().size(), twice.isZero());
        });
    c.equal(
        "reset",
        List.of(true, true, true),
        () -> {
          longs.reset();
          doubles.reset();
          words.reset();
          return List.of(longs.isZero(), doubles.isZero(), words.isZero());
        });
  }

  private static void files(KilnContext sc, Checks c, Path directory, String jar) throws Exception {
    c.group("files and jars");
    RDD<Integer> numbers = sc.parallelize(List.of(0, 1), 2);
    Path note = Files.writeString(directory.resolve("note"), "a note");
    Path folder = Files.createDirectory(directory.resolve("folder"));
    Files.writeString(folder.resolve("inside"), "inside");
    Path archive = directory.resolve("packed.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
      zip.putNextEntry(new ZipEntry("deep/entry"));
      zip.write("packed".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    sc.addFile(note.toString());
    sc.addFile(folder.toString(), true);
    sc.addArchive(archive.toString());
    sc.addJar(jar);
    c.equal("get in the driver", "a note", () -> Files.readString(KilnFiles.get("note")));
    c.equal("addFile", List.of("a note", "a note"), () -> numbers.map(_ -> read("note")).collect());
    c.equal(
        "addFile of a directory",
        List.of("inside", "inside"),
        () -> numbers.map(_ -> read("folder/inside")).collect());
    c.equal(
        "addArchive",
        List.of("packed", "packed"),
        () -> numbers.map(_ -> read("packed.zip/deep/entry")).collect());
    c.equal(
        "rootDirectory",
        List.of(true, true),
        () -> numbers.map(_ -> Files.exists(KilnFiles.rootDirectory().resolve("note"))).collect());
    c.equal(
        "lists",
        List.of(true, true, true),
        () ->
            List.of(
                sc.listFiles().toString().contains("note"),
                sc.listArchives().toString().contains("packed.zip"),
                sc.listJars().toString().contains("late.jar")));
    c.equal(
        "addJar", List.of("hello 0", "hello 1"), () -> numbers.map(Sharing::greeting).collect());
    c.equal(
        "records of an added jar's class",
        List.of("hello 0", "hello 1"),
        () ->
            numbers
                .map(Sharing::made)
                .repartition(2)
                .map(Object::toString)
                .sortBy(text -> text)
                .collect());
    c.equal(
        "results of an added jar's class",
        List.of("hello 0", "hello 1"),
        () -> numbers.map(Sharing::made).collect().stream().map(Object::toString).toList());
    c.equal("longs", 2L, numbers::count);
  }

  private static String read(String name) throws Exception {
    return Files.readString(KilnFiles.get(name));
  }

  private static String greeting(int number) throws Exception {
    return made(number).toString();
  }

  private static Object made(int number) throws Exception {
    return Class.forName("late.Greeting", true, Thread.currentThread().getContextClassLoader())
        .getConstructor(int.class)
        .newInstance(number);
  }
}
