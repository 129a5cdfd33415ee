package acceptance;

import acceptance.Data.Word;
import io.kiln.api.HashPartitioner;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.Partitioner;
import io.kiln.api.RangePartitioner;
import io.kiln.api.function.SerializableComparator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What is done by key to one RDD.
final class Keyed {
  private static final Partitioner IN_2 = new HashPartitioner(2);

  private Keyed() {}

  static void check(KilnContext sc, Checks c) {
    PairRDD<Integer, String> left = sc.parallelizePairs(Data.LEFT, 4);
    PairRDD<Integer, Long> right = sc.parallelizePairs(Data.RIGHT, 3);
    values(left, c);
    sorting(left, c);
    combining(right, c);
    grouping(sc, left, c);
    drawing(left, c);
  }

  private static void values(PairRDD<Integer, String> left, Checks c) {
    c.group("values");
    c.equal("from", Data.LEFT, () -> PairRDD.from(left.filter(_ -> true)).collect());
    c.equal("keys", Data.LEFT.stream().map(Pair::key).toList(), () -> left.keys().collect());
    c.equal("values", Data.LEFT.stream().map(Pair::value).toList(), () -> left.values().collect());
    c.equal(
        "mapValues",
        Data.LEFT.stream().map(p -> Pair.of(p.key(), new Word(p.value(), 1))).toList(),
        () -> left.mapValues(v -> new Word(v, 1)).collect());
    c.equal(
        "flatMapValues",
        Data.LEFT.stream().flatMap(p -> Stream.of(p, Pair.of(p.key(), "again"))).toList(),
        () -> left.flatMapValues(v -> List.of(v, "again").iterator()).collect());
    c.bag("lookup", Data.grouped(Data.LEFT).get(3), () -> left.lookup(3));
    c.equal("collectAsMap", 7, () -> left.collectAsMap().size());
    c.equal("partitionBy", IN_2, () -> left.partitionBy(IN_2).partitioner().orElseThrow());
    c.bag(
        "lookup where it is placed",
        Data.grouped(Data.LEFT).get(3),
        () -> left.partitionBy(IN_2).lookup(3));
  }

  private static void sorting(PairRDD<Integer, String> left, Checks c) {
    c.group("sorting");
    List<Integer> up = Data.LEFT.stream().map(Pair::key).sorted().toList();
    List<Integer> down = up.reversed();
    Comparator<Integer> reverse = Comparator.reverseOrder();
    SerializableComparator<Integer> backwards = (a, b) -> b.compareTo(a);
    c.equal("sortByKey", up, () -> left.sortByKey().keys().collect());
    c.equal("sortByKey downwards", down, () -> left.sortByKey(false).keys().collect());
    c.equal("sortByKey in 3", up, () -> left.sortByKey(true, 3).keys().collect());
    c.equal("sortByKey by an order", down, () -> left.sortByKey(reverse).keys().collect());
    c.equal("sortByKey by a lambda", down, () -> left.sortByKey(backwards).keys().collect());
    c.equal("sortByKey by an order in 3", down, () -> left.sortByKey(reverse, 3).keys().collect());
    c.equal(
        "sortByKey by a lambda in 3", down, () -> left.sortByKey(backwards, 3).keys().collect());
    c.equal(
        "repartitionAndSortWithinPartitions",
        inTwo(up),
        () -> left.repartitionAndSortWithinPartitions(IN_2).keys().glom().collect());
    c.equal(
        "repartitionAndSortWithinPartitions by an order",
        inTwo(down),
        () -> left.repartitionAndSortWithinPartitions(IN_2, reverse).keys().glom().collect());
    c.equal(
        "repartitionAndSortWithinPartitions by a lambda",
        inTwo(down),
        () -> left.repartitionAndSortWithinPartitions(IN_2, backwards).keys().glom().collect());
    List<Integer> some = up.stream().filter(k -> k >= 2 && k <= 4).toList();
    c.equal("filterByRange", some, () -> left.sortByKey().filterByRange(2, 4).keys().collect());
    c.equal(
        "filterByRange by an order",
        some.reversed(),
        () -> left.sortByKey(reverse, 3).filterByRange(4, 2, reverse).keys().collect());
    c.equal(
        "a sampled RangePartitioner",
        up,
        () ->
            left.partitionBy(RangePartitioner.sampling(left, 3, Comparator.<Integer>naturalOrder()))
                .keys()
                .glom()
                .map(part -> part.stream().sorted().toList())
                .flatMap(List::iterator)
                .collect());
  }

  private static List<List<Integer>> inTwo(List<Integer> keys) {
    return List.of(
        keys.stream().filter(k -> k % 2 == 0).toList(),
        keys.stream().filter(k -> k % 2 == 1).toList());
  }

  private static void combining(PairRDD<Integer, Long> right, Checks c) {
    c.group("combining");
    List<Pair<Integer, Long>> sums =
        Data.eachKey(Data.RIGHT, all -> all.stream().reduce(0L, Long::sum));
    c.bag("reduceByKey", sums, () -> right.reduceByKey(Long::sum).collect());
    c.bag("reduceByKey in 2", sums, () -> right.reduceByKey(Long::sum, 2).collect());
    c.bag("reduceByKey by a partitioner", sums, () -> right.reduceByKey(IN_2, Long::sum).collect());
    c.bag("reduceByKeyLocally", sums, () -> Data.pairs(right.reduceByKeyLocally(Long::sum)));
    c.bag("foldByKey", sums, () -> right.foldByKey(0L, Long::sum).collect());
    c.bag("foldByKey in 2", sums, () -> right.foldByKey(0L, 2, Long::sum).collect());
    c.bag("foldByKey by a partitioner", sums, () -> right.foldByKey(0L, IN_2, Long::sum).collect());

    List<Pair<Integer, HashSet<Long>>> sets = Data.eachKey(Data.RIGHT, HashSet::new);
    c.bag(
        "combineByKey",
        sets,
        () -> right.combineByKey(Keyed::setOf, Keyed::with, Keyed::both).collect());
    c.bag(
        "combineByKey in 2",
        sets,
        () -> right.combineByKey(Keyed::setOf, Keyed::with, Keyed::both, 2).collect());
    c.bag(
        "combineByKey by a partitioner",
        sets,
        () -> right.combineByKey(Keyed::setOf, Keyed::with, Keyed::both, IN_2).collect());
    c.bag(
        "combineByKey not in the map tasks",
        sets,
        () -> right.combineByKey(Keyed::setOf, Keyed::with, Keyed::both, IN_2, false).collect());
    c.bag(
        "aggregateByKey",
        sets,
        () -> right.aggregateByKey(new HashSet<Long>(), Keyed::with, Keyed::both).collect());
    c.bag(
        "aggregateByKey in 2",
        sets,
        () -> right.aggregateByKey(new HashSet<Long>(), 2, Keyed::with, Keyed::both).collect());
    c.bag(
        "aggregateByKey by a partitioner",
        sets,
        () -> right.aggregateByKey(new HashSet<Long>(), IN_2, Keyed::with, Keyed::both).collect());
    c.bag(
        "aggregateByKey from a class of the program",
        Data.eachKey(Data.RIGHT, all -> new Sums(all.size(), all.stream().reduce(0L, Long::sum))),
        () -> right.aggregateByKey(new Sums(0, 0), Sums::and, Sums::and).collect());
  }

  /// A zero value that can change, as far as is known.
  record Sums(int count, long sum) implements java.io.Serializable {
    Sums and(long value) {
      return new Sums(count + 1, sum + value);
    }

    Sums and(Sums other) {
      return new Sums(count + other.count, sum + other.sum);
    }
  }

  private static HashSet<Long> setOf(long value) {
    return new HashSet<>(List.of(value));
  }

  private static HashSet<Long> with(HashSet<Long> set, long value) {
    set.add(value);
    return set;
  }

  private static HashSet<Long> both(HashSet<Long> set, HashSet<Long> other) {
    set.addAll(other);
    return set;
  }

  private static void grouping(KilnContext sc, PairRDD<Integer, String> left, Checks c) {
    c.group("grouping");
    List<Pair<Integer, List<String>>> groups = Data.eachKey(Data.LEFT, all -> all);
    c.bag("groupByKey", groups, () -> left.groupByKey().collect());
    c.bag("groupByKey in 2", groups, () -> left.groupByKey(2).collect());
    c.bag("groupByKey by a partitioner", groups, () -> left.groupByKey(IN_2).collect());
    Map<Integer, Long> counts = Data.counts(Data.LEFT.stream().map(Pair::key).toList());
    c.equal("countByKey", counts, left::countByKey);
    c.equal(
        "countByKeyApprox",
        counts,
        () -> Numbers.means(left.countByKeyApprox(300_000).finalValue()));
    c.equal(
        "countByKeyApprox with a confidence",
        counts,
        () -> Numbers.means(left.countByKeyApprox(300_000, 0.9).finalValue()));
    c.equal(
        "countApproxDistinctByKey",
        Map.of(0, 6L, 1, 6L, 2, 6L, 3, 6L, 4, 6L, 5, 5L, 6, 5L),
        () -> new HashMap<>(left.countApproxDistinctByKey(0.01).collectAsMap()));
    c.between(
        "countApproxDistinctByKey in 2",
        35,
        45,
        () -> left.countApproxDistinctByKey(0.01, 2).values().reduce(Long::sum));
    c.between(
        "countApproxDistinctByKey by a partitioner",
        35,
        45,
        () -> left.countApproxDistinctByKey(0.01, IN_2).values().reduce(Long::sum));
    c.bag(
        "records as keys",
        Data.pairs(Data.counts(Data.WORDS)),
        () ->
            sc.parallelize(Data.WORDS, 3)
                .mapToPair(w -> Pair.of(w, 1L))
                .reduceByKey(Long::sum)
                .collect());
  }

  private static void drawing(PairRDD<Integer, String> left, Checks c) {
    c.group("drawing by key");
    Map<Integer, Double> fractions = new HashMap<>();
    for (int key = 0; key < 7; key++) {
      fractions.put(key, 0.5);
    }
    c.holds(
        "sampleByKey", () -> Data.LEFT.containsAll(left.sampleByKey(false, fractions).collect()));
    c.equal(
        "sampleByKey with a seed",
        left.sampleByKey(true, fractions, 3).collect(),
        () -> left.sampleByKey(true, fractions, 3).collect());
    List<Pair<Integer, Long>> halves = Data.eachKey(Data.LEFT, all -> (all.size() + 1L) / 2);
    c.bag(
        "sampleByKeyExact",
        halves,
        () -> Data.pairs(left.sampleByKeyExact(false, fractions).countByKey()));
    c.bag(
        "sampleByKeyExact with a seed",
        halves,
        () -> Data.pairs(left.sampleByKeyExact(false, fractions, 3).countByKey()));
    c.equal("first of each key", 7, () -> firsts(left).size());
  }

  private static List<Pair<Integer, String>> firsts(PairRDD<Integer, String> pairs) {
    return new ArrayList<>(pairs.reduceByKey((first, _) -> first).collect());
  }
}
