package io.kiln.programs.operations;

import io.kiln.api.HashPartitioner;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.StorageLevel;
import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// What a random pipeline is made of: on the engine and in plain Java. Records are pairs; their
/// order means nothing. No operation makes many records of few.
@SuppressWarnings("ImmutableEnumChecker") // the functions hold nothing
enum Operation {
  MAP(
      (rdd, n) -> rdd.mapToPair(pair -> shifted(pair, n)),
      (records, n) -> records.stream().map(pair -> shifted(pair, n)).toList()),
  REKEY(
      (rdd, n) -> rdd.mapToPair(pair -> rekeyed(pair, n)),
      (records, n) -> records.stream().map(pair -> rekeyed(pair, n)).toList()),
  MAP_VALUES(
      (rdd, n) -> rdd.mapValues(value -> value * n),
      (records, n) -> records.stream().map(p -> Pair.of(p.key(), p.value() * n)).toList()),
  FILTER(
      (rdd, n) -> rdd.filter(pair -> pair.value() % (n + 1) != 0),
      (records, n) -> records.stream().filter(p -> p.value() % (n + 1) != 0).toList()),
  FLAT_MAP(
      (rdd, n) -> rdd.flatMapValues(value -> copies(value, n).iterator()),
      (records, n) ->
          records.stream()
              .flatMap(p -> copies(p.value(), n).stream().map(v -> Pair.of(p.key(), v)))
              .toList()),
  MAP_PARTITIONS(
      (rdd, n) -> PairRDD.from(rdd.mapPartitions(pairs -> new Shifting(pairs, n))),
      (records, n) -> records.stream().map(pair -> shifted(pair, n)).toList()),
  DISTINCT(
      (rdd, n) -> PairRDD.from(rdd.distinct(n)),
      (records, _) -> records.stream().distinct().toList()),
  REDUCE((rdd, n) -> rdd.reduceByKey(Long::sum, n), (records, _) -> reduced(records, Long::sum)),
  FOLD(
      (rdd, n) -> rdd.foldByKey(0L, n, Math::max),
      (records, _) -> reduced(records, (a, b) -> Math.max(Math.max(0, a), b), v -> Math.max(0, v))),
  GROUP(
      (rdd, n) -> rdd.groupByKey(n).mapValues(Operation::digest),
      (records, _) ->
          grouped(records).entrySet().stream()
              .map(group -> Pair.of(group.getKey(), digest(group.getValue())))
              .toList()),
  PLACE((rdd, n) -> rdd.partitionBy(new HashPartitioner(n)), (records, _) -> records),
  SORT_WITHIN(
      (rdd, n) -> rdd.repartitionAndSortWithinPartitions(new HashPartitioner(n)),
      (records, _) -> records),
  SORT_BY_KEY((rdd, n) -> rdd.sortByKey(true, n), (records, _) -> records),
  SORT_BY_VALUE(
      (rdd, n) -> PairRDD.from(rdd.sortBy(pair -> pair.value(), false, n)),
      (records, _) -> records),
  REPARTITION((rdd, n) -> PairRDD.from(rdd.repartition(n)), (records, _) -> records),
  COALESCE((rdd, n) -> PairRDD.from(rdd.coalesce(n)), (records, _) -> records),
  UNION(
      (rdd, n) -> PairRDD.from(rdd.union(rdd.filter(pair -> pair.key() % (n + 1) == 0))),
      (records, n) ->
          Stream.concat(
                  records.stream(), records.stream().filter(pair -> pair.key() % (n + 1) == 0))
              .toList()),
  JOIN(
      (rdd, n) ->
          rdd.join(rdd.reduceByKey(Long::sum, n)).mapValues(pair -> pair.key() - pair.value()),
      (records, _) -> {
        Map<Integer, Long> sums = sums(records);
        return records.stream()
            .map(pair -> Pair.of(pair.key(), pair.value() - sums.get(pair.key())))
            .toList();
      }),
  LEFT_OUTER_JOIN(
      (rdd, n) ->
          rdd.leftOuterJoin(rdd.filter(pair -> pair.key() % 2 == 0).reduceByKey(Long::sum), n)
              .mapValues(pair -> pair.key() + orZero(pair.value())),
      (records, _) -> {
        Map<Integer, Long> sums = sums(records);
        return records.stream()
            .map(p -> Pair.of(p.key(), p.value() + (p.key() % 2 == 0 ? sums.get(p.key()) : 0)))
            .toList();
      }),
  SUBTRACT_BY_KEY(
      (rdd, n) -> rdd.subtractByKey(rdd.filter(pair -> pair.value() % (n + 2) == 0)),
      (records, n) -> {
        List<Integer> gone =
            records.stream().filter(p -> p.value() % (n + 2) == 0).map(Pair::key).toList();
        return records.stream().filter(pair -> !gone.contains(pair.key())).toList();
      }),
  PERSIST(
      (rdd, n) -> {
        PairRDD<Integer, Long> copy = rdd.mapValues(value -> value);
        copy.persist(level(n));
        return copy;
      },
      (records, _) -> records),
  PERSIST_AND_COMPUTE(
      (rdd, n) -> {
        PairRDD<Integer, Long> copy = rdd.mapValues(value -> value);
        copy.persist(level(n));
        long _ = copy.count();
        return copy;
      },
      (records, _) -> records),
  LOCAL_CHECKPOINT(
      (rdd, _) -> {
        PairRDD<Integer, Long> copy = rdd.mapValues(value -> value);
        copy.localCheckpoint();
        long _ = copy.count();
        return copy;
      },
      (records, _) -> records);

  private static final List<StorageLevel> LEVELS =
      List.of(
          StorageLevel.MEMORY_ONLY,
          StorageLevel.MEMORY_ONLY_SER,
          StorageLevel.MEMORY_AND_DISK,
          StorageLevel.MEMORY_AND_DISK_SER,
          StorageLevel.DISK_ONLY,
          StorageLevel.OFF_HEAP,
          StorageLevel.MEMORY_ONLY_2);

  @FunctionalInterface
  private interface OnEngine {
    PairRDD<Integer, Long> apply(PairRDD<Integer, Long> rdd, int number);
  }

  @FunctionalInterface
  private interface InJava {
    List<Pair<Integer, Long>> apply(List<Pair<Integer, Long>> records, int number);
  }

  private final OnEngine onEngine;
  private final InJava inJava;

  Operation(OnEngine onEngine, InJava inJava) {
    this.onEngine = onEngine;
    this.inJava = inJava;
  }

  PairRDD<Integer, Long> on(PairRDD<Integer, Long> rdd, int number) {
    return onEngine.apply(rdd, number);
  }

  List<Pair<Integer, Long>> on(List<Pair<Integer, Long>> records, int number) {
    return inJava.apply(records, number);
  }

  private static StorageLevel level(int number) {
    return LEVELS.get(number % LEVELS.size());
  }

  private static Pair<Integer, Long> shifted(Pair<Integer, Long> pair, int number) {
    return Pair.of(pair.key(), pair.value() + number);
  }

  private static Pair<Integer, Long> rekeyed(Pair<Integer, Long> pair, int number) {
    return Pair.of((int) Math.floorMod(pair.value(), number * 5L), pair.value());
  }

  private static List<Long> copies(long value, int number) {
    return Collections.nCopies((int) Math.floorMod(value + number, 3L), value);
  }

  private static long orZero(Optional<Long> value) {
    return value.orElse(0L);
  }

  /// Of a group, whatever its order.
  private static long digest(Iterable<Long> values) {
    List<Long> sorted = StreamSupport.stream(values.spliterator(), false).sorted().toList();
    return sorted.hashCode() % 1000L;
  }

  private static Map<Integer, List<Long>> grouped(List<Pair<Integer, Long>> records) {
    return records.stream()
        .collect(
            Collectors.groupingBy(
                Pair::key, TreeMap::new, Collectors.mapping(Pair::value, Collectors.toList())));
  }

  private static Map<Integer, Long> sums(List<Pair<Integer, Long>> records) {
    return records.stream().collect(Collectors.toMap(Pair::key, Pair::value, Long::sum));
  }

  private static List<Pair<Integer, Long>> reduced(
      List<Pair<Integer, Long>> records, BinaryOperator<Long> combine) {
    return reduced(records, combine, value -> value);
  }

  private static List<Pair<Integer, Long>> reduced(
      List<Pair<Integer, Long>> records,
      BinaryOperator<Long> combine,
      java.util.function.UnaryOperator<Long> first) {
    return grouped(records).entrySet().stream()
        .map(
            group ->
                Pair.of(
                    group.getKey(),
                    group.getValue().stream().map(first).reduce(combine).orElseThrow()))
        .toList();
  }

  /// The pull form of [#MAP].
  private record Shifting(java.util.Iterator<Pair<Integer, Long>> pairs, int number)
      implements java.util.Iterator<Pair<Integer, Long>>, Serializable {
    @Override
    public boolean hasNext() {
      return pairs.hasNext();
    }

    @Override
    public Pair<Integer, Long> next() {
      return shifted(pairs.next(), number);
    }
  }
}
