package acceptance;

import acceptance.Data.Box;
import acceptance.Data.Colour;
import acceptance.Data.Word;
import io.kiln.api.HashPartitioner;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.RDD;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What makes an RDD of an RDD.
final class Changing {
  private Changing() {}

  static void check(KilnContext sc, Checks c) {
    RDD<Integer> numbers = sc.parallelize(Data.NUMBERS, 4);
    RDD<Word> words = sc.parallelize(Data.WORDS, 3);
    recordByRecord(numbers, words, c);
    partitionByPartition(sc, numbers, c);
    sets(sc, numbers, words, c);
    placing(numbers, words, c);
    drawing(numbers, c);
  }

  private static void recordByRecord(RDD<Integer> numbers, RDD<Word> words, Checks c) {
    c.group("record by record");
    c.equal(
        "map to a class of the program",
        Data.NUMBERS.stream().map(n -> new Box<>(Colour.of(n))).toList(),
        () -> numbers.map(n -> new Box<>(Colour.of(n))).collect());
    c.equal(
        "constants with bodies",
        Data.NUMBERS.stream().filter(n -> Colour.of(n).isCalm()).toList(),
        () -> numbers.filter(n -> Colour.of(n).isCalm()).collect());
    c.equal(
        "mapToPair",
        Data.WORDS.stream().map(w -> Pair.of(w, w.weight())).toList(),
        () -> words.mapToPair(w -> Pair.of(w, w.weight())).collect());
    c.equal("mapToDouble", Data.DECIMALS, () -> numbers.mapToDouble(n -> n / 4.0).collect());
    c.equal(
        "flatMap",
        Data.WORDS.stream().flatMap(w -> w.text().chars().boxed()).toList(),
        () -> words.flatMap(w -> w.text().chars().boxed().iterator()).collect());
    c.equal(
        "flatMapToPair",
        Data.WORDS.stream().flatMap(w -> Stream.of(Pair.of(w, 1), Pair.of(w, 2))).toList(),
        () -> words.flatMapToPair(w -> List.of(Pair.of(w, 1), Pair.of(w, 2)).iterator()).collect());
    c.equal(
        "flatMapToDouble",
        List.of(1.0, 0.5, 2.0, 1.0),
        () -> numbers.flatMapToDouble(n -> List.of(1.0 * n, n / 2.0).iterator()).take(4));
    c.equal(
        "keyBy",
        Data.WORDS.stream().map(w -> Pair.of(w.text(), w)).toList(),
        () -> words.keyBy(Word::text).collect());
    c.equal(
        "pipe a line",
        Data.NUMBERS.stream().map(String::valueOf).toList(),
        () -> numbers.pipe("cat").collect());
    c.equal(
        "pipe words",
        Data.WORDS.stream().map(w -> w.toString().replace('o', '0')).toList(),
        () -> words.pipe(List.of("tr", "o", "0")).collect());
    c.equal(
        "pipe with variables",
        List.of("set", "set", "set", "set"),
        () ->
            numbers
                .pipe(List.of("sh", "-c", "cat > /dev/null; echo $IT"), Map.of("IT", "set"))
                .collect());
  }

  private static void partitionByPartition(KilnContext sc, RDD<Integer> numbers, Checks c) {
    c.group("partition by partition");
    List<Integer> sums = parts(4).stream().map(Changing::sum).toList();
    c.equal(
        "mapPartitions",
        sums,
        () -> numbers.mapPartitions(i -> List.of(sum(i)).iterator()).collect());
    c.equal(
        "mapPartitions that keeps the partitioner",
        new HashPartitioner(2),
        () ->
            numbers
                .keyBy(n -> n)
                .partitionBy(new HashPartitioner(2))
                .mapPartitions(i -> i, true)
                .partitioner()
                .orElseThrow());
    c.equal(
        "mapPartitionsToPair",
        sums.stream().map(sum -> Pair.of("sum", sum)).toList(),
        () ->
            numbers.mapPartitionsToPair(i -> List.of(Pair.of("sum", sum(i))).iterator()).collect());
    c.equal(
        "mapPartitionsToDouble",
        sums.stream().map(Integer::doubleValue).toList(),
        () -> numbers.mapPartitionsToDouble(i -> List.of((double) sum(i)).iterator()).collect());
    c.equal(
        "mapPartitionsWithIndex",
        IntStream.range(0, 4).mapToObj(i -> Pair.of(i, sums.get(i))).toList(),
        () ->
            numbers
                .mapPartitionsWithIndex((i, all) -> List.of(Pair.of(i, sum(all))).iterator())
                .collect());
    c.equal(
        "mapPartitionsWithIndex that keeps the partitioner",
        true,
        () ->
            numbers
                .keyBy(n -> n)
                .partitionBy(new HashPartitioner(2))
                .mapPartitionsWithIndex((_, all) -> all, true)
                .partitioner()
                .isPresent());
    c.equal("glom", parts(4), () -> numbers.glom().collect());
    RDD<Integer> negative = numbers.map(n -> -n);
    c.equal(
        "zip",
        Data.NUMBERS.stream().map(n -> Pair.of(n, -n)).toList(),
        () -> numbers.zip(negative).collect());
    c.equal(
        "zipPartitions of 2",
        List.of(0, 0, 0, 0),
        () ->
            numbers
                .zipPartitions(negative, (a, b) -> List.of(sum(a) + sum(b)).iterator())
                .collect());
    c.equal(
        "zipPartitions of 3",
        sums,
        () ->
            numbers
                .zipPartitions(
                    negative, numbers, (a, b, d) -> List.of(sum(a) + sum(b) + sum(d)).iterator())
                .collect());
    c.equal(
        "zipPartitions of 4",
        List.of(0, 0, 0, 0),
        () ->
            numbers
                .zipPartitions(
                    negative,
                    numbers,
                    negative,
                    (a, b, d, e) -> List.of(sum(a) + sum(b) + sum(d) + sum(e)).iterator())
                .collect());
    c.equal(
        "zipWithIndex",
        Data.NUMBERS.stream().map(n -> Pair.of(n, n - 1L)).toList(),
        () -> numbers.zipWithIndex().collect());
    c.equal("zipWithUniqueId", 100L, () -> numbers.zipWithUniqueId().values().distinct().count());
    c.bag(
        "cartesian",
        List.of(Pair.of(1, "a"), Pair.of(1, "b"), Pair.of(2, "a"), Pair.of(2, "b")),
        () ->
            sc.parallelize(List.of(1, 2), 2)
                .cartesian(sc.parallelize(List.of("a", "b"), 2))
                .collect());
  }

  private static int sum(Iterable<Integer> values) {
    return sum(values.iterator());
  }

  private static int sum(java.util.Iterator<Integer> values) {
    int sum = 0;
    while (values.hasNext()) {
      sum += values.next();
    }
    return sum;
  }

  /// The numbers as they are dealt out to partitions.
  static List<List<Integer>> parts(int count) {
    List<List<Integer>> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(Data.NUMBERS.subList(100 * i / count, 100 * (i + 1) / count));
    }
    return parts;
  }

  private static void sets(KilnContext sc, RDD<Integer> numbers, RDD<Word> words, Checks c) {
    c.group("sets");
    RDD<Integer> even = numbers.filter(n -> n % 2 == 0).union(sc.parallelize(List.of(-1, -2), 1));
    List<Integer> both = Data.NUMBERS.stream().filter(n -> n % 2 == 0).toList();
    List<Integer> odd = Data.NUMBERS.stream().filter(n -> n % 2 != 0).toList();
    c.equal("union", Stream.concat(both.stream(), Stream.of(-1, -2)).toList(), even::collect);
    c.bag("intersection", both, () -> numbers.intersection(even).collect());
    c.bag("intersection in 3", both, () -> numbers.intersection(even, 3).collect());
    c.bag(
        "intersection by a partitioner",
        both,
        () -> numbers.intersection(even, new HashPartitioner(2)).collect());
    c.bag("subtract", odd, () -> numbers.subtract(even).collect());
    c.bag("subtract in 3", odd, () -> numbers.subtract(even, 3).collect());
    c.bag(
        "subtract by a partitioner",
        odd,
        () -> numbers.subtract(even, new HashPartitioner(2)).collect());
    c.bag("distinct", new HashSet<>(Data.WORDS), () -> words.distinct().collect());
    c.bag("distinct in 2", new HashSet<>(Data.WORDS), () -> words.distinct(2).collect());
    List<Pair<Integer, List<Word>>> byWeight =
        Data.eachKey(Data.WORDS.stream().map(w -> Pair.of(w.weight(), w)).toList(), all -> all);
    c.bag("groupBy", byWeight, () -> words.groupBy(Word::weight).collect());
    c.bag("groupBy in 2", byWeight, () -> words.groupBy(Word::weight, 2).collect());
    c.bag(
        "groupBy by a partitioner",
        byWeight,
        () -> words.groupBy(Word::weight, new HashPartitioner(5)).collect());
  }

  private static void placing(RDD<Integer> numbers, RDD<Word> words, Checks c) {
    c.group("placing");
    List<Word> sorted = Data.WORDS.stream().sorted().toList();
    List<String> down =
        Data.WORDS.stream().map(Word::text).sorted(Comparator.reverseOrder()).toList();
    c.equal("sortBy", sorted, () -> words.sortBy(w -> w).collect());
    c.equal(
        "sortBy downwards",
        down,
        () -> words.sortBy(Word::text, false, 3).map(Word::text).collect());
    c.equal(
        "sortBy by an order",
        down,
        () -> words.sortBy(Word::text, Comparator.reverseOrder(), 2).map(Word::text).collect());
    c.equal("coalesce", 2, () -> numbers.coalesce(2).numPartitions());
    c.equal("coalesced", Data.NUMBERS, () -> numbers.coalesce(2).collect());
    c.bag("coalesce with a shuffle", Data.NUMBERS, () -> numbers.coalesce(6, true).collect());
    c.bag("repartition", Data.NUMBERS, () -> numbers.repartition(3).collect());
    c.equal("repartition in 3", 3, () -> numbers.repartition(3).glom().collect().size());
  }

  private static void drawing(RDD<Integer> numbers, Checks c) {
    c.group("drawing");
    c.holds("sample", () -> Data.NUMBERS.containsAll(numbers.sample(false, 0.5).collect()));
    c.equal(
        "sample with a seed",
        numbers.sample(true, 0.5, 7).collect(),
        () -> numbers.sample(true, 0.5, 7).collect());
    c.bag("randomSplit", Data.NUMBERS, () -> join(numbers.randomSplit(new double[] {1, 2, 3})));
    c.bag(
        "randomSplit with a seed",
        Data.NUMBERS,
        () -> join(numbers.randomSplit(new double[] {0.5, 0.5}, 3)));
    c.equal("takeSample", 10, () -> new HashSet<>(numbers.takeSample(false, 10)).size());
    c.equal(
        "takeSample with a seed",
        numbers.takeSample(true, 120, 5),
        () -> numbers.takeSample(true, 120, 5));
  }

  private static List<Integer> join(List<RDD<Integer>> parts) {
    List<Integer> all = new ArrayList<>();
    parts.forEach(part -> all.addAll(part.collect()));
    return all;
  }
}
