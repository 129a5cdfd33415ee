package acceptance;

import acceptance.Data.Word;
import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Files of every form, and checkpoints.
final class Filing {
  private static final List<String> CODECS =
      List.of("none", "gzip", "deflate", "bzip2", "zstd", "lz4");

  private Filing() {}

  static void check(KilnContext sc, Checks c, Path directory) throws Exception {
    text(sc, c, directory);
    objects(sc, c, directory);
    whole(sc, c, directory);
    checkpoints(sc, c, directory);
  }

  private static void text(KilnContext sc, Checks c, Path directory) {
    c.group("text");
    List<String> lines = Data.WORDS.stream().map(Word::text).toList();
    RDD<String> texts = sc.parallelize(lines, 3);
    String plain = directory.resolve("plain").toString();
    c.holds(
        "saveAsTextFile",
        () -> {
          texts.saveAsTextFile(plain);
          return Files.exists(Path.of(plain, "_SUCCESS"));
        });
    c.bag("textFile", lines, () -> sc.textFile(plain).collect());
    c.bag("textFile in 5", lines, () -> sc.textFile(plain, 5).collect());
    c.bag("textFile of a glob", lines, () -> sc.textFile(plain + "/part-*").collect());
    c.fails(
        "saveAsTextFile over it",
        "exists already",
        () -> {
          texts.saveAsTextFile(plain);
          return null;
        });
    for (String codec : CODECS) {
      String path = directory.resolve(codec).toString();
      c.bag(
          "saveAsTextFile by " + codec,
          lines,
          () -> {
            texts.saveAsTextFile(path, codec);
            return sc.textFile(path).collect();
          });
    }
    c.equal(
        "one line a record",
        lines.stream().sorted().toList(),
        () -> {
          try (Stream<Path> parts = Files.list(Path.of(plain))) {
            return parts
                .filter(part -> part.getFileName().toString().startsWith("part-"))
                .flatMap(part -> linesOf(part).stream())
                .sorted()
                .toList();
          }
        });
  }

  private static List<String> linesOf(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void objects(KilnContext sc, Checks c, Path directory) {
    c.group("objects");
    String words = directory.resolve("words").toString();
    String kinds = directory.resolve("kinds").toString();
    c.bag(
        "saveAsObjectFile",
        Data.WORDS,
        () -> {
          sc.parallelize(Data.WORDS, 3).saveAsObjectFile(words);
          return sc.<Word>objectFile(words, 1).collect();
        });
    c.bag(
        "objectFile",
        Data.kinds(),
        () -> {
          sc.parallelize(Data.kinds(), 3).saveAsObjectFile(kinds);
          return sc.objectFile(kinds).collect();
        });
  }

  private static void whole(KilnContext sc, Checks c, Path directory) throws Exception {
    c.group("whole files");
    Path files = Files.createDirectory(directory.resolve("files"));
    Path one = Files.writeString(files.resolve("one"), "first\nfile\n");
    Path two = Files.writeString(files.resolve("two"), "zweite, längere");
    List<String> texts = List.of("first\nfile\n", "zweite, längere");
    String path = files.toString();
    c.bag("wholeTextFiles", texts, () -> sc.wholeTextFiles(path).values().collect());
    c.bag("wholeTextFiles in 2", texts, () -> sc.wholeTextFiles(path, 2).values().collect());
    c.bag(
        "wholeTextFiles' names",
        List.of("one", "two"),
        () -> sc.wholeTextFiles(path).keys().map(Filing::nameOf).collect());
    c.bag(
        "binaryFiles",
        texts,
        () -> sc.binaryFiles(path).values().map(f -> textOf(f.readAllBytes())).collect());
    c.bag(
        "binaryFiles in 2",
        List.of(11, 16),
        () ->
            sc.binaryFiles(path, 2)
                .map(
                    file -> {
                      try (InputStream in = file.value().open()) {
                        return in.readAllBytes().length;
                      }
                    })
                .collect());
    c.bag(
        "binaryFiles that are collected",
        List.of("one: 11", "two: 16"),
        () ->
            sc.binaryFiles(path).collect().stream()
                .map(
                    file -> {
                      try {
                        return nameOf(file.value().path())
                            + ": "
                            + file.value().readAllBytes().length;
                      } catch (java.io.IOException e) {
                        throw new java.io.UncheckedIOException(e);
                      }
                    })
                .toList());
    Path records = Files.write(directory.resolve("records"), new byte[] {1, 2, 3, 4, 5, 6});
    c.equal(
        "binaryRecords",
        List.of(new byte[] {1, 2, 3}, new byte[] {4, 5, 6}),
        () -> sc.binaryRecords(records.toString(), 3).collect());
    c.equal("sizes", List.of(11L, 16L), () -> List.of(Files.size(one), Files.size(two)));
  }

  private static String nameOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static String textOf(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void checkpoints(KilnContext sc, Checks c, Path directory) {
    c.group("checkpoints");
    sc.setCheckpointDir(directory.resolve("checkpoints").toString());
    c.holds("getCheckpointDir", () -> sc.getCheckpointDir().orElseThrow().contains("checkpoints"));
    RDD<Word> words = sc.parallelize(Data.WORDS, 3).map(w -> new Word(w.text(), w.weight() + 1));
    List<Word> heavier = Data.WORDS.stream().map(w -> new Word(w.text(), w.weight() + 1)).toList();
    words.cache().checkpoint();
    c.equal("checkpoint", heavier, words::collect);
    c.holds("isCheckpointed", words::isCheckpointed);
    c.holds("getCheckpointFile", () -> words.getCheckpointFile().isPresent());
    words.unpersist(true);
    c.equal("from the checkpoint", heavier, words::collect);
    c.equal("further on", 11L, () -> words.map(Word::weight).count());
    RDD<Object> kinds = sc.parallelize(Data.kinds(), 2).map(kind -> kind);
    kinds.checkpoint();
    c.equal("of records of many kinds", Data.kinds(), kinds::collect);
    c.equal("of records of many kinds, read", Data.kinds(), kinds::collect);
    RDD<Integer> local = sc.parallelize(Data.NUMBERS, 2).map(n -> n + 1).localCheckpoint();
    c.equal("localCheckpoint", 5150, () -> local.reduce(Integer::sum));
    c.equal("from the local checkpoint", 5150, () -> local.reduce(Integer::sum));
    c.equal(
        "localCheckpoint of pairs",
        Data.LEFT,
        () -> sc.parallelizePairs(Data.LEFT, 2).filter(_ -> true).localCheckpoint().collect());
    c.equal(
        "localCheckpoint of numbers",
        Data.DECIMALS,
        () ->
            sc.parallelizeDoubles(Data.DECIMALS, 2).filter(_ -> true).localCheckpoint().collect());
  }
}
