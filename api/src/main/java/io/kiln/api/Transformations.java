package io.kiln.api;

import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// The transformations of [RDD] that are made of others.
final class Transformations {

  private Transformations() {}

  /// For what the types can't say but the caller knows.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <T> T cast(Object value) {
    return (T) value;
  }

  /// The same records under a type that the caller knows to fit.
  @SuppressWarnings("unchecked")
  static <T> RDD<T> castRecords(RDD<?> rdd) {
    return (RDD<T>) rdd;
  }

  /// One record, made when it is asked for.
  static <T> Records<T> single(io.kiln.api.function.Supplier<? extends T> value) {
    return new Records<>() {
      @Override
      public Iterator<T> iterator() throws Exception {
        return Collections.<T>singletonList(value.get()).iterator();
      }

      @Override
      public void forEach(Sink<? super T> sink) throws Exception {
        sink.accept(value.get());
      }
    };
  }

  static <T> RDD<T> union(KilnContext context, List<? extends RDD<T>> rdds) {
    List<RDD<T>> parents = List.copyOf(Arguments.allPresent(rdds, "union", "RDD"));
    if (parents.size() > 1) {
      Optional<Partitioner> partitioner = parents.get(0).partitioner();
      if (partitioner.isPresent()
          && parents.stream().allMatch(parent -> parent.partitioner().equals(partitioner))) {
        return new PartitionerAwareUnionRDD<>(context, parents, partitioner.get());
      }
    }
    return new UnionRDD<>(context, parents);
  }

  private static <T> PairRDD<T, Boolean> marked(RDD<T> rdd, String operation) {
    Arguments.present(rdd, operation, "RDD");
    return PairRDD.from(new MapRDD<T, Pair<T, Boolean>>(rdd, v -> new Pair<>(v, null), false));
  }

  static <T> RDD<T> intersection(RDD<T> left, RDD<T> right, Optional<Partitioner> partitioner) {
    PairRDD<T, Boolean> mine = marked(left, "intersection");
    PairRDD<T, Boolean> theirs = marked(right, "intersection");
    return Joins.cogroupLists(
            partitioner.orElseGet(() -> PairShuffles.defaultPartitioner(mine, theirs)),
            List.of(mine, theirs))
        .filter(group -> group.value().stream().noneMatch(List::isEmpty))
        .keys();
  }

  static <T> RDD<T> subtract(RDD<T> left, RDD<T> right, Optional<Partitioner> partitioner) {
    PairRDD<T, Boolean> rest =
        marked(left, "subtract")
            .subtractByKey(
                marked(right, "subtract"),
                partitioner.orElseGet(() -> HashPartitioner.forInput(left.numPartitions())));
    return rest.keys();
  }

  static <T> RDD<T> distinct(RDD<T> rdd, int numPartitions) {
    Optional<Partitioner> placed = rdd.partitioner();
    if (placed.isPresent() && placed.get().numPartitions() == numPartitions) {
      return new MapPartitionsRDD<>(
          rdd,
          (task, _, records) -> {
            var seen =
                task.runtime().combiningMap(new Aggregator<T, T>(v -> v, (c, _) -> c, (c, _) -> c));
            records.forEach(
                v -> {
                  seen.insert(cast(v), v);
                  return true;
                });
            Records<Pair<Object, T>> results = cast(seen.results());
            return mapped(results);
          },
          true);
    }
    Partitioner partitioner =
        rdd.numPartitions() == 0
            ? HashPartitioner.forInput(numPartitions)
            : new HashPartitioner(numPartitions);
    return marked(rdd, "distinct").reduceByKey(partitioner, (first, _) -> first).keys();
  }

  private static <T> Records<T> mapped(Records<Pair<Object, T>> pairs) {
    return new Records<>() {
      @Override
      public Iterator<T> iterator() throws Exception {
        Iterator<Pair<Object, T>> each = pairs.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return each.hasNext();
          }

          @Override
          public T next() {
            return each.next().value();
          }
        };
      }

      @Override
      public void forEach(Sink<? super T> sink) throws Exception {
        pairs.forEach(pair -> sink.accept(pair.value()));
      }
    };
  }

  /// Pairs up two iterators and insists that they end together.
  static <T, U> RDD<Pair<T, U>> zip(RDD<T> left, RDD<U> right) {
    return new ZippedPartitionsRDD<>(
        left.context(),
        List.of(left, right),
        sources -> new ZippedIterator<T, U>(cast(sources[0]), cast(sources[1])),
        true);
  }

  private record ZippedIterator<T, U>(Iterator<T> left, Iterator<U> right)
      implements Iterator<Pair<T, U>> {

    @Override
    public boolean hasNext() {
      boolean more = left.hasNext();
      if (more != right.hasNext()) {
        throw new KilnException(
            "UNEQUAL_RECORDS",
            KilnException.Kind.APPLICATION,
            "zip met partitions with unequal numbers of records; zip only RDDs that agree in them");
      }
      return more;
    }

    @Override
    public Pair<T, U> next() {
      return new Pair<>(left.next(), right.next());
    }
  }

  static <T> RDD<Pair<T, Long>> zipWithIndex(RDD<T> rdd) {
    int partitions = rdd.numPartitions();
    long[] starts = new long[partitions];
    if (partitions > 1) {
      int[] allButLast = new int[partitions - 1];
      Arrays.setAll(allButLast, i -> i);
      List<Long> counts =
          rdd.context().runJob(rdd, (_, records) -> Actions.size(records), allButLast);
      for (int i = 1; i < partitions; i++) {
        starts[i] = starts[i - 1] + counts.get(i - 1);
      }
    }
    return MapPartitionsRDD.ofOrdered(
        rdd, (_, index, records) -> new NumberedRecords<>(records, starts[index], 1), false);
  }

  static <T> RDD<Pair<T, Long>> zipWithUniqueId(RDD<T> rdd) {
    int partitions = rdd.numPartitions();
    return MapPartitionsRDD.ofOrdered(
        rdd, (_, index, records) -> new NumberedRecords<>(records, index, partitions), false);
  }

  /// Records with numbers in steps.
  private record NumberedRecords<T>(Records<T> records, long start, long step)
      implements Records<Pair<T, Long>> {

    @Override
    public Iterator<Pair<T, Long>> iterator() throws Exception {
      Iterator<T> each = records.iterator();
      return new Iterator<>() {
        private long number = start;

        @Override
        public boolean hasNext() {
          return each.hasNext();
        }

        @Override
        public Pair<T, Long> next() {
          Pair<T, Long> pair = new Pair<>(each.next(), number);
          number += step;
          return pair;
        }
      };
    }

    @Override
    public void forEach(Sink<? super Pair<T, Long>> sink) throws Exception {
      long[] number = {start};
      records.forEach(
          value -> {
            long mine = number[0];
            number[0] = mine + step;
            return sink.accept(new Pair<>(value, mine));
          });
    }
  }

  static <T> RDD<T> coalesce(RDD<T> rdd, int numPartitions, boolean shuffle) {
    Arguments.partitions(numPartitions);
    if (!shuffle) {
      return new CoalescedRDD<>(rdd, numPartitions);
    }
    RDD<Pair<Integer, T>> dealt =
        MapPartitionsRDD.ofOrdered(
            rdd, (_, index, records) -> new DealtRecords<>(records, index, numPartitions), false);
    RDD<Pair<Integer, T>> moved =
        new ShuffledRDD<>(
            rdd.context(), ShuffleDependency.of(dealt, new HashPartitioner(numPartitions)));
    return new MapRDD<>(moved, Pair::value, false);
  }

  /// Records with the partitions to which they are dealt, in turn from a start that depends on
  /// where they come from, so that small partitions don't all send to the same few.
  private record DealtRecords<T>(Records<T> records, int index, int targets)
      implements Records<Pair<Integer, T>> {

    private int firstTarget() {
      return (int) Long.remainderUnsigned(Randomness.mix(index), targets);
    }

    @Override
    public Iterator<Pair<Integer, T>> iterator() throws Exception {
      Iterator<T> each = records.iterator();
      return new Iterator<>() {
        private int target = firstTarget();

        @Override
        public boolean hasNext() {
          return each.hasNext();
        }

        @Override
        public Pair<Integer, T> next() {
          Pair<Integer, T> pair = new Pair<>(target, each.next());
          target = target + 1 == targets ? 0 : target + 1;
          return pair;
        }
      };
    }

    @Override
    public void forEach(Sink<? super Pair<Integer, T>> sink) throws Exception {
      int[] target = {firstTarget()};
      records.forEach(
          value -> {
            int mine = target[0];
            target[0] = mine + 1 == targets ? 0 : mine + 1;
            return sink.accept(new Pair<>(mine, value));
          });
    }
  }
}
