package acceptance;

import io.kiln.api.Broadcast;
import io.kiln.api.HashPartitioner;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.Partitioner;
import io.kiln.api.Quad;
import io.kiln.api.Triple;
import io.kiln.api.function.FlatMapFunction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What is done by key to several RDDs, and what a pair RDD has of an RDD's operations.
final class Joining {
  private static final Partitioner IN_2 = new HashPartitioner(2);

  private Joining() {}

  static void check(KilnContext sc, Checks c, Path directory) {
    PairRDD<Integer, String> left = sc.parallelizePairs(Data.LEFT, 4);
    PairRDD<Integer, Long> right = sc.parallelizePairs(Data.RIGHT, 3);
    joins(sc, left, right, c, directory);
    cogroups(left, right, c);
    asRdds(sc, left, c);
  }

  private static List<Integer> keys(boolean ofLeft, boolean ofRight) {
    return java.util.stream.IntStream.range(0, 11)
        .filter(k -> (!ofLeft || k < 7) && (!ofRight || k >= 3))
        .boxed()
        .toList();
  }

  private static final Map<Integer, List<String>> LEFT = Data.grouped(Data.LEFT);
  private static final Map<Integer, List<Long>> RIGHT = Data.grouped(Data.RIGHT);

  private static <T> List<Optional<T>> orEmpty(List<T> values) {
    return values == null ? List.of(Optional.empty()) : values.stream().map(Optional::of).toList();
  }

  private static void joins(
      KilnContext sc,
      PairRDD<Integer, String> left,
      PairRDD<Integer, Long> right,
      Checks c,
      Path directory) {
    c.group("joining");
    List<Pair<Integer, Pair<String, Long>>> inner = new ArrayList<>();
    List<Pair<Integer, Pair<String, Optional<Long>>>> ofLeft = new ArrayList<>();
    List<Pair<Integer, Pair<Optional<String>, Long>>> ofRight = new ArrayList<>();
    List<Pair<Integer, Pair<Optional<String>, Optional<Long>>>> full = new ArrayList<>();
    for (int key : keys(false, false)) {
      for (Optional<String> l : orEmpty(LEFT.get(key))) {
        for (Optional<Long> r : orEmpty(RIGHT.get(key))) {
          full.add(Pair.of(key, Pair.of(l, r)));
          l.ifPresent(value -> ofLeft.add(Pair.of(key, Pair.of(value, r))));
          r.ifPresent(value -> ofRight.add(Pair.of(key, Pair.of(l, value))));
          l.ifPresent(a -> r.ifPresent(b -> inner.add(Pair.of(key, Pair.of(a, b)))));
        }
      }
    }
    List<Pair<Integer, String>> without =
        Data.LEFT.stream().filter(pair -> !RIGHT.containsKey(pair.key())).toList();
    c.bag("join", inner, () -> left.join(right).collect());
    c.bag("join in 2", inner, () -> left.join(right, 2).collect());
    c.bag("join by a partitioner", inner, () -> left.join(right, IN_2).collect());
    c.bag("leftOuterJoin", ofLeft, () -> left.leftOuterJoin(right).collect());
    c.bag("leftOuterJoin in 2", ofLeft, () -> left.leftOuterJoin(right, 2).collect());
    c.bag(
        "leftOuterJoin by a partitioner", ofLeft, () -> left.leftOuterJoin(right, IN_2).collect());
    c.bag("rightOuterJoin", ofRight, () -> left.rightOuterJoin(right).collect());
    c.bag("rightOuterJoin in 2", ofRight, () -> left.rightOuterJoin(right, 2).collect());
    c.bag(
        "rightOuterJoin by a partitioner",
        ofRight,
        () -> left.rightOuterJoin(right, IN_2).collect());
    c.bag("fullOuterJoin", full, () -> left.fullOuterJoin(right).collect());
    c.bag("fullOuterJoin in 2", full, () -> left.fullOuterJoin(right, 2).collect());
    c.bag("fullOuterJoin by a partitioner", full, () -> left.fullOuterJoin(right, IN_2).collect());
    c.bag("subtractByKey", without, () -> left.subtractByKey(right).collect());
    c.bag("subtractByKey in 2", without, () -> left.subtractByKey(right, 2).collect());
    c.bag(
        "subtractByKey by a partitioner", without, () -> left.subtractByKey(right, IN_2).collect());
    c.bag(
        "join of what is placed alike",
        inner,
        () -> left.partitionBy(IN_2).join(right.partitionBy(IN_2)).collect());
    outer(sc, left.leftOuterJoin(right), ofLeft, c, directory);
  }

  /// What outer joins give, wherever it may go from there.
  private static void outer(
      KilnContext sc,
      PairRDD<Integer, Pair<String, Optional<Long>>> joined,
      List<Pair<Integer, Pair<String, Optional<Long>>>> expected,
      Checks c,
      Path directory) {
    c.group("outer joins");
    String path = directory.resolve("outer").toString();
    c.bag(
        "saved",
        expected,
        () -> {
          joined.saveAsObjectFile(path);
          return sc.objectFile(path).collect();
        });
    c.bag("read back from the driver", expected, () -> sc.parallelize(expected, 3).collect());
    c.bag(
        "broadcast",
        expected,
        () -> sc.range(0, 1).flatMap(capturing(sc.broadcast(expected))).collect());
    c.equal("captured", expected.size(), () -> sc.range(0, 1).map(_ -> expected.size()).first());
    c.equal(
        "in a zero value",
        Optional.of(11L),
        () ->
            sc.range(1, 12)
                .aggregate(
                    Optional.<Long>empty(),
                    (most, n) -> most.filter(m -> m > n).or(() -> Optional.of(n)),
                    (a, b) -> a.filter(m -> b.isEmpty() || m > b.get()).or(() -> b)));
    c.bag(
        "checkpointed",
        expected,
        () -> {
          sc.setCheckpointDir(directory.resolve("outer-checkpoints").toString());
          PairRDD<Integer, Pair<String, Optional<Long>>> again = joined.filter(_ -> true);
          again.checkpoint();
          again.count();
          return again.collect();
        });
  }

  private static <T> FlatMapFunction<Long, T> capturing(Broadcast<List<T>> all) {
    return _ -> all.value().iterator();
  }

  private static <T> List<T> orNone(List<T> values) {
    return values == null ? List.of() : values;
  }

  private static void cogroups(
      PairRDD<Integer, String> left, PairRDD<Integer, Long> right, Checks c) {
    c.group("cogrouping");
    List<Pair<Integer, Pair<List<String>, List<Long>>>> two = new ArrayList<>();
    List<Pair<Integer, Triple<List<String>, List<Long>, List<String>>>> three = new ArrayList<>();
    List<Pair<Integer, Quad<List<String>, List<Long>, List<String>, List<Long>>>> four =
        new ArrayList<>();
    for (int key : keys(false, false)) {
      List<String> l = orNone(LEFT.get(key));
      List<Long> r = orNone(RIGHT.get(key));
      two.add(Pair.of(key, new Pair<>(l, r)));
      three.add(Pair.of(key, new Triple<>(l, r, l)));
      four.add(Pair.of(key, new Quad<>(l, r, l, r)));
    }
    c.bag("cogroup of 2", two, () -> left.cogroup(right).collect());
    c.bag("cogroup of 2 in 2", two, () -> left.cogroup(right, 2).collect());
    c.bag("cogroup of 2 by a partitioner", two, () -> left.cogroup(right, IN_2).collect());
    c.bag("cogroup of 3", three, () -> left.cogroup(right, left).collect());
    c.bag("cogroup of 3 in 2", three, () -> left.cogroup(right, left, 2).collect());
    c.bag("cogroup of 3 by a partitioner", three, () -> left.cogroup(right, left, IN_2).collect());
    c.bag("cogroup of 4", four, () -> left.cogroup(right, left, right).collect());
    c.bag("cogroup of 4 in 2", four, () -> left.cogroup(right, left, right, 2).collect());
    c.bag(
        "cogroup of 4 by a partitioner",
        four,
        () -> left.cogroup(right, left, right, IN_2).collect());
    c.bag(
        "parts of triples and quads",
        four.stream().map(p -> p.value().first().size() + p.value().fourth().size()).toList(),
        () ->
            left.cogroup(right, left, right)
                .map(p -> size(p.value().first()) + size(p.value().fourth()))
                .collect());
    c.bag(
        "more parts of triples and quads",
        three.stream().map(p -> 2 * p.value().second().size() + p.value().third().size()).toList(),
        () ->
            left.cogroup(right, left)
                .join(left.cogroup(right, left, right))
                .map(
                    p ->
                        size(p.value().key().second())
                            + size(p.value().value().second())
                            + size(p.value().key().third()) * 2
                            - size(p.value().value().third())
                            + 0 * size(p.value().key().first()))
                .collect());
  }

  private static int size(Iterable<?> values) {
    int size = 0;
    for (Object _ : values) {
      size++;
    }
    return size;
  }

  /// Each operation that a pair RDD narrows to pair RDDs.
  private static void asRdds(KilnContext sc, PairRDD<Integer, String> left, Checks c) {
    c.group("pairs as records");
    List<Pair<Integer, String>> sixes = Data.LEFT.stream().filter(p -> p.key() == 6).toList();
    List<Pair<Integer, String>> others = Data.LEFT.stream().filter(p -> p.key() != 6).toList();
    List<Pair<Integer, String>> twice = Stream.concat(Data.LEFT.stream(), sixes.stream()).toList();
    PairRDD<Integer, String> some = left.filter(p -> p.key() == 6);
    c.equal("filter", sixes, some::collect);
    c.equal("union", twice, () -> left.union(some).collect());
    c.bag("intersection", sixes, () -> left.intersection(some).collect());
    c.bag("intersection in 2", sixes, () -> left.intersection(some, 2).collect());
    c.bag("intersection by a partitioner", sixes, () -> left.intersection(some, IN_2).collect());
    c.bag("subtract", others, () -> left.subtract(some).collect());
    c.bag("subtract in 2", others, () -> left.subtract(some, 2).collect());
    c.bag("subtract by a partitioner", others, () -> left.subtract(some, IN_2).collect());
    c.bag("distinct", Data.LEFT, () -> left.union(some).distinct().collect());
    c.bag("distinct in 2", Data.LEFT, () -> left.union(some).distinct(2).collect());
    List<Pair<Integer, String>> byValue =
        Data.LEFT.stream().sorted(Comparator.comparing(Pair::value)).toList();
    c.equal("sortBy", byValue, () -> left.sortBy(Pair::value).collect());
    c.equal(
        "sortBy downwards", byValue.reversed(), () -> left.sortBy(Pair::value, false, 3).collect());
    c.equal(
        "sortBy by an order",
        byValue.reversed(),
        () -> left.sortBy(Pair::value, Comparator.<String>reverseOrder(), 2).collect());
    c.equal("coalesce", Data.LEFT, () -> left.coalesce(2).collect());
    c.bag("coalesce with a shuffle", Data.LEFT, () -> left.coalesce(6, true).collect());
    c.bag("repartition", Data.LEFT, () -> left.repartition(2).collect());
    c.holds("sample", () -> Data.LEFT.containsAll(left.sample(false, 0.5).collect()));
    c.equal(
        "sample with a seed",
        left.sample(false, 0.5, 5).collect(),
        () -> left.sample(false, 0.5, 5).collect());
    c.equal(
        "setName",
        Optional.of("left"),
        () -> left.map(p -> p).keyBy(p -> p).setName("left").name());
    c.equal(
        "distinct keys",
        new HashSet<>(LEFT.keySet()),
        () -> new HashSet<>(left.keys().distinct().collect()));
    c.equal(
        "of no pairs",
        0L,
        () -> PairRDD.from(sc.<Pair<Integer, String>>emptyRDD()).groupByKey().count());
  }
}
