package io.kiln.api;

import io.kiln.api.function.BiFunction;
import io.kiln.api.function.BinaryOperator;
import java.util.List;

/// `treeReduce` and `treeAggregate`: the partitions' results are joined by tasks, in levels, until
/// few are left for the driver.
final class Trees {

  private Trees() {}

  private static void requireDepth(int depth) {
    if (depth < 1) {
      throw new KilnException(
          "DEPTH_NOT_POSITIVE",
          KilnException.Kind.USER,
          "a tree can't have " + depth + " levels; give 1 or more");
    }
  }

  static <T> T reduce(RDD<T> rdd, BinaryOperator<T> function, int depth) {
    requireDepth(depth);
    RDD<List<T>> parts =
        new MapPartitionsRDD<>(
            rdd,
            (_, _, records) ->
                Transformations.single(
                    () -> {
                      Actions.Reduction<T> reduction = new Actions.Reduction<>(function);
                      records.forEach(reduction);
                      return reduction.result();
                    }),
            false);
    BinaryOperator<List<T>> join =
        (left, right) -> {
          if (left.isEmpty() || right.isEmpty()) {
            return left.isEmpty() ? right : left;
          }
          left.set(0, function.apply(left.get(0), right.get(0)));
          return left;
        };
    List<List<T>> last = levels(parts, join, depth).collect();
    Actions.Reduction<T> all = new Actions.Reduction<>(function);
    for (List<T> part : last) {
      part.forEach(value -> Unchecked.get(() -> all.accept(value)));
    }
    List<T> result = all.result();
    if (result.isEmpty()) {
      throw Actions.empty("treeReduce");
    }
    return result.get(0);
  }

  static <T, U> U aggregate(
      RDD<T> rdd,
      ZeroValue<U> zero,
      BiFunction<U, ? super T, U> add,
      BinaryOperator<U> join,
      int depth) {
    requireDepth(depth);
    RDD<U> parts =
        new MapPartitionsRDD<>(
            rdd,
            (_, _, records) -> Transformations.single(() -> Actions.aggregated(records, zero, add)),
            false);
    U all = zero.fresh();
    for (U part : levels(parts, join, depth).collect()) {
      U joined = all;
      all = Unchecked.get(() -> join.apply(joined, part));
    }
    return all;
  }

  /// One record a partition, joined until a further level would no longer save the driver work.
  private static <U> RDD<U> levels(RDD<U> parts, BinaryOperator<U> join, int depth) {
    RDD<U> level = parts;
    int width = parts.numPartitions();
    int scale = Math.max(2, (int) Math.ceil(Math.pow(width, 1.0 / depth)));
    while (width > scale + Math.ceilDiv(width, scale)) {
      width /= scale;
      int targets = width;
      PairRDD<Integer, U> placed =
          PairRDD.from(
              new MapPartitionsRDD<U, Pair<Integer, U>>(
                  level,
                  (_, index, records) ->
                      Transformations.single(
                          () -> new Pair<>(index % targets, records.iterator().next())),
                  false));
      level = placed.reduceByKey(new HashPartitioner(targets), join).values();
    }
    return level;
  }
}
