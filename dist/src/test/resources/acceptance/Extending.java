package acceptance;

import io.kiln.api.Aggregator;
import io.kiln.api.CallSite;
import io.kiln.api.Dependency;
import io.kiln.api.Determinism;
import io.kiln.api.HashPartitioner;
import io.kiln.api.IndexedPartition;
import io.kiln.api.KilnContext;
import io.kiln.api.NarrowDependency;
import io.kiln.api.OneToOneDependency;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.Partition;
import io.kiln.api.Partitioner;
import io.kiln.api.Quad;
import io.kiln.api.RDD;
import io.kiln.api.RangeDependency;
import io.kiln.api.RangePartitioner;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.Sink;
import io.kiln.api.StorageLevel;
import io.kiln.api.TaskContext;
import io.kiln.api.Triple;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// RDDs, dependencies and partitioners of the program's own, and the values that the API is made
/// of.
final class Extending {
  private Extending() {}

  static void check(KilnContext sc, Checks c) {
    RDD<Integer> numbers = sc.parallelize(Data.NUMBERS, 4);
    operators(sc, numbers, c);
    partitioners(sc, c);
    shuffles(sc, c);
    values(c);
  }

  /// The records of some partitions of another RDD, in the way that the mode says.
  private static final class Some extends RDD<Integer> {
    enum Mode {
      PULLED,
      PUSHED,
      RECORDS,
      COMPUTED
    }

    /// @param of the parent's partition
    record Part(int index, Partition of) implements Partition {}

    private final Mode mode;

    Some(NarrowDependency<Integer> parent, Mode mode) {
      super(parent.parent().context(), List.of(parent));
      this.mode = mode;
    }

    @Override
    protected List<Partition> computePartitions() {
      NarrowDependency<?> dependency = (NarrowDependency<?>) dependencies().getFirst();
      List<Partition> parts = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        int of = dependency.parentPartitions(i).getFirst();
        parts.add(new Part(i, dependency.parent().partitions().get(of)));
      }
      return parts;
    }

    @Override
    public Iterator<Integer> compute(Partition split, TaskContext task) throws Exception {
      RDD<Integer> parent = parent(0);
      Partition of = ((Part) split).of();
      return switch (mode) {
        case PULLED -> parent.iterator(of, task);
        case PUSHED -> {
          List<Integer> all = new ArrayList<>();
          Sink<Integer> sink = all::add;
          parent.forEachRecord(of, task, sink);
          yield all.iterator();
        }
        case RECORDS -> parent.records(of, task).iterator();
        case COMPUTED -> parent.computedRecords(of, task).iterator();
      };
    }
  }

  private static void operators(KilnContext sc, RDD<Integer> numbers, Checks c) {
    c.group("operators of one's own");
    List<List<Integer>> parts = Changing.parts(4);
    List<Integer> first = join(parts.get(0), parts.get(1));
    for (Some.Mode mode : Some.Mode.values()) {
      c.equal(
          "in the mode " + mode,
          first,
          () -> new Some(new OneToOneDependency<>(numbers), mode).collect());
      c.equal(
          "in the mode " + mode + " of what is persisted",
          first,
          () ->
              new Some(
                      new OneToOneDependency<>(
                          numbers.map(n -> n).persist(StorageLevel.MEMORY_ONLY_SER)),
                      mode)
                  .collect());
    }
    c.equal(
        "with a range",
        join(parts.get(2), parts.get(3)),
        () -> new Some(new RangeDependency<>(numbers, 2, 0, 2), Some.Mode.PULLED).collect());
    c.equal(
        "OneToOneDependency",
        List.of(3),
        () -> new OneToOneDependency<>(numbers).parentPartitions(3));
    c.equal(
        "RangeDependency",
        List.of(2),
        () -> new RangeDependency<>(numbers, 2, 0, 2).parentPartitions(0));
    c.equal(
        "other partitions",
        join(parts.get(3), parts.get(0)),
        () -> new Some(new Turned(numbers), Some.Mode.PULLED).collect());
    c.equal("IndexedPartition", 3, () -> new IndexedPartition(3).index());
    c.equal(
        "computed by hand in a task", 100, () -> numbers.mapPartitions(i -> i).collect().size());
    c.equal(
        "union of operators",
        2,
        () -> sc.union(List.of(new Some(new Turned(numbers), Some.Mode.PUSHED))).numPartitions());
  }

  private static final class Turned extends NarrowDependency<Integer> {
    Turned(RDD<Integer> parent) {
      super(parent);
    }

    @Override
    public List<Integer> parentPartitions(int childPartition) {
      return List.of((3 + childPartition) % 4);
    }
  }

  private static List<Integer> join(List<Integer> first, List<Integer> second) {
    List<Integer> joined = new ArrayList<>(first);
    joined.addAll(second);
    return joined;
  }

  /// By what is left when it is divided by three.
  private static final class Thirds extends Partitioner {
    @Override
    public int numPartitions() {
      return 3;
    }

    @Override
    public int partition(Object key) {
      return (Integer) key % 3;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Thirds;
    }

    @Override
    public int hashCode() {
      return 3;
    }
  }

  private static void partitioners(KilnContext sc, Checks c) {
    c.group("partitioners");
    PairRDD<Integer, String> left = sc.parallelizePairs(Data.LEFT, 4);
    c.equal(
        "of the program",
        List.of(List.of(0, 3, 6), List.of(1, 4), List.of(2, 5)),
        () ->
            left.partitionBy(new Thirds())
                .keys()
                .glom()
                .map(part -> part.stream().distinct().sorted().toList())
                .collect());
    HashPartitioner hash = new HashPartitioner(4);
    c.equal(
        "hash",
        List.of(4, 3, 3),
        () ->
            List.of(hash.numPartitions(), hash.partition(7), new HashPartitioner(4).partition(-1)));
    RangePartitioner<String> range =
        new RangePartitioner<>(List.of("f", "p"), Comparator.naturalOrder());
    c.equal(
        "range",
        List.of(3, 0, 1, 2),
        () ->
            List.of(
                range.numPartitions(),
                range.partition("a"),
                range.partition("p"),
                range.partition("z")));
    c.equal("range's order", Comparator.naturalOrder(), range::order);
    c.equal(
        "sampling",
        2,
        () ->
            RangePartitioner.sampling(left, 2, Comparator.<Integer>naturalOrder()).numPartitions());
  }

  /// What a shuffle holds.
  private static final class Shuffled extends RDD<Pair<Integer, Long>> {
    private final int parts;

    Shuffled(KilnContext sc, ShuffleDependency<Integer, Long, Long> shuffle) {
      super(sc, List.of(shuffle));
      this.parts = shuffle.partitioner().numPartitions();
    }

    @Override
    protected List<Partition> computePartitions() {
      return IntStream.range(0, parts).mapToObj(i -> (Partition) new IndexedPartition(i)).toList();
    }

    @Override
    @SuppressWarnings("unchecked")
    public Iterator<Pair<Integer, Long>> compute(Partition split, TaskContext task)
        throws Exception {
      Dependency<?> shuffle = dependencies().getFirst();
      return task.runtime()
          .readShuffle(
              (ShuffleDependency<Integer, ?, Long>) shuffle, split.index(), split.index() + 1)
          .iterator();
    }
  }

  private static void shuffles(KilnContext sc, Checks c) {
    c.group("shuffles of one's own");
    PairRDD<Integer, Long> right = sc.parallelizePairs(Data.RIGHT, 3);
    Aggregator<Long, Long> sum = new Aggregator<>(v -> v, Long::sum, Long::sum);
    ShuffleDependency<Integer, Long, Long> shuffle =
        ShuffleDependency.<Integer, Long, Long>builder(right, new HashPartitioner(2))
            .aggregator(sum, true)
            .keyOrder(Comparator.<Integer>reverseOrder())
            .build();
    List<Pair<Integer, Long>> sums =
        Data.eachKey(Data.RIGHT, all -> all.stream().reduce(0L, Long::sum));
    c.bag("read", sums, () -> new Shuffled(sc, shuffle).collect());
    c.equal(
        "parts",
        List.of(3, new HashPartitioner(2), sum, Comparator.reverseOrder(), true),
        () ->
            List.of(
                shuffle.numMaps(),
                shuffle.partitioner(),
                shuffle.aggregator().orElseThrow(),
                shuffle.keyOrder().orElseThrow(),
                shuffle.mapSideCombine()));
    c.holds("parent", () -> shuffle.parent().id() == right.id());
    c.equal(
        "aggregator",
        List.of(1L, 3L, 7L),
        () ->
            List.of(
                sum.createCombiner().apply(1L),
                sum.mergeValue().apply(1L, 2L),
                sum.mergeCombiners().apply(3L, 4L)));
    ShuffleDependency<Integer, Long, Long> plain =
        ShuffleDependency.of(right, new HashPartitioner(2));
    c.holds("shuffleId", () -> plain.shuffleId() != shuffle.shuffleId());
    c.bag("read as they are", Data.RIGHT, () -> new Shuffled(sc, plain).collect());
  }

  private static void values(Checks c) {
    c.group("values");
    c.equal(
        "pairs", List.of(1, "a"), () -> List.of(new Pair<>(1, "a").key(), Pair.of(1, "a").value()));
    Triple<Integer, String, Long> triple = new Triple<>(1, "a", 2L);
    c.equal(
        "triples",
        List.of(1, "a", 2L),
        () -> List.of(triple.first(), triple.second(), triple.third()));
    Quad<Integer, String, Long, Boolean> quad = new Quad<>(1, "a", 2L, true);
    c.equal(
        "quads",
        List.of(1, "a", 2L, true),
        () -> List.of(quad.first(), quad.second(), quad.third(), quad.fourth()));
    c.equal("call sites", Optional.empty(), () -> new CallSite("operation", "").userLocation());
    c.equal(
        "determinism",
        List.of(Determinism.UNORDERED, Determinism.INDETERMINATE),
        () ->
            List.of(
                Determinism.DETERMINATE.and(Determinism.UNORDERED),
                Determinism.UNORDERED.whereOrderMatters()));
  }
}
