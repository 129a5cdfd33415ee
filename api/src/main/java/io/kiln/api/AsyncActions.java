package io.kiln.api;

import io.kiln.api.function.Consumer;
import io.kiln.api.function.Function;
import io.kiln.api.spi.PartitionFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/// The actions of [RDD] that don't wait.
final class AsyncActions {

  private AsyncActions() {}

  /// @param finish makes the future's result of the partitions' results
  static <T, P, R> JobFuture<R> submit(
      RDD<T> rdd,
      PartitionFunction<T, ? extends P> function,
      int[] partitions,
      Function<List<P>, R> finish) {
    Object[] parts = new Object[partitions.length];
    return rdd.context()
        .<T, P, R>submitJob(
            rdd,
            function,
            partitions,
            (index, part) -> parts[index] = part,
            () -> {
              List<P> typed = Transformations.cast(new ArrayList<>(Arrays.asList(parts)));
              return finish.apply(typed);
            });
  }

  private static <T, P, R> JobFuture<R> submit(
      RDD<T> rdd, PartitionFunction<T, ? extends P> function, Function<List<P>, R> finish) {
    return submit(rdd, function, IntStream.range(0, rdd.numPartitions()).toArray(), finish);
  }

  static <T> JobFuture<Long> count(RDD<T> rdd) {
    return AsyncActions.<T, Long, Long>submit(
        rdd, (_, records) -> Actions.size(records), Actions::total);
  }

  static <T> JobFuture<List<T>> collect(RDD<T> rdd) {
    return AsyncActions.<T, List<T>, List<T>>submit(
        rdd, (_, records) -> Actions.toList(records), Actions::concatenated);
  }

  static <T> JobFuture<List<T>> take(RDD<T> rdd, int count) {
    return new JobFuture<List<T>>().run(() -> Actions.take(rdd, count));
  }

  static <T> JobFuture<Void> foreach(RDD<T> rdd, Consumer<? super T> action) {
    return AsyncActions.<T, Boolean, Void>submit(rdd, Actions.eachRecord(action), _ -> null);
  }

  static <T> JobFuture<Void> foreachPartition(RDD<T> rdd, Consumer<Iterator<T>> action) {
    return AsyncActions.<T, Boolean, Void>submit(rdd, Actions.eachPartition(action), _ -> null);
  }
}
