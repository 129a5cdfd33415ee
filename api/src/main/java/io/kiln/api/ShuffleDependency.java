package io.kiln.api;

import java.util.Comparator;
import java.util.Optional;

/// The child needs the parent's records by key. The parent's stage writes them partitioned, and the
/// child's stage fetches its parts.
///
/// @param <K> key
/// @param <V> value in the parent
/// @param <C> value in the child: the combiner if there is an aggregator, else `V`
public final class ShuffleDependency<K, V, C> extends Dependency<Pair<K, V>> {
  private final transient RDD<Pair<K, V>> parent;
  private final int shuffleId;
  private final int numMaps;
  private final Partitioner partitioner;
  private final Aggregator<V, C> aggregator;
  private final Comparator<? super K> keyOrder;
  private final boolean mapSideCombine;

  private ShuffleDependency(Builder<K, V, C> builder) {
    this.parent = builder.parent;
    this.shuffleId = parent.context().engine().nextShuffleId();
    this.numMaps = parent.numPartitions();
    this.partitioner = builder.partitioner;
    this.aggregator = builder.aggregator;
    this.keyOrder = builder.keyOrder;
    this.mapSideCombine = builder.mapSideCombine;
    parent.context().engine().shuffleCreated(this);
  }

  /// Partitions the records, and neither combines nor sorts them.
  public static <K, V> ShuffleDependency<K, V, V> of(
      RDD<Pair<K, V>> parent, Partitioner partitioner) {
    return new Builder<K, V, V>(parent, partitioner).build();
  }

  public static <K, V, C> Builder<K, V, C> builder(
      RDD<Pair<K, V>> parent, Partitioner partitioner) {
    return new Builder<>(parent, partitioner);
  }

  /// Use this in the driver only.
  @Override
  public RDD<Pair<K, V>> parent() {
    if (parent == null) {
      throw new IllegalStateException("the parent of a shuffle is known in the driver only");
    }
    return parent;
  }

  /// Returns an id that no other shuffle of the application has.
  public int shuffleId() {
    return shuffleId;
  }

  /// Returns how many map tasks write this shuffle: one for each partition of the parent.
  public int numMaps() {
    return numMaps;
  }

  public Partitioner partitioner() {
    return partitioner;
  }

  public Optional<Aggregator<V, C>> aggregator() {
    return Optional.ofNullable(aggregator);
  }

  /// Returns the order in which the child sees the keys of a partition. Without it, they are in any
  /// order.
  public Optional<Comparator<? super K>> keyOrder() {
    return Optional.ofNullable(keyOrder);
  }

  /// Returns whether the map side combines before it writes. That is true only with an aggregator.
  public boolean mapSideCombine() {
    return mapSideCombine;
  }

  /// Collects what a shuffle needs.
  public static final class Builder<K, V, C> {
    private final RDD<Pair<K, V>> parent;
    private final Partitioner partitioner;
    private Aggregator<V, C> aggregator;
    private Comparator<? super K> keyOrder;
    private boolean mapSideCombine;

    private Builder(RDD<Pair<K, V>> parent, Partitioner partitioner) {
      this.parent = parent.node();
      this.partitioner = partitioner;
    }

    public Builder<K, V, C> aggregator(Aggregator<V, C> aggregator, boolean mapSideCombine) {
      this.aggregator = aggregator;
      this.mapSideCombine = mapSideCombine;
      return this;
    }

    public Builder<K, V, C> keyOrder(Comparator<? super K> keyOrder) {
      this.keyOrder = keyOrder;
      return this;
    }

    public ShuffleDependency<K, V, C> build() {
      return new ShuffleDependency<>(this);
    }
  }
}
