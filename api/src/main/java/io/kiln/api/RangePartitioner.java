package io.kiln.api;

import io.kiln.api.spi.PartitionFunction;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Places keys by ranges of about equal weight. The ranges are in order: all keys of a partition
/// come before those of the next.
public final class RangePartitioner<K> extends Partitioner {
  private static final int SAMPLES_PER_PARTITION = 20;
  private static final double MAX_SAMPLES = 1_000_000;

  private final Object[] bounds;
  private final Comparator<? super K> order;

  /// @param bounds the last key of each partition except the last one, ascending in `order`
  /// @param order is serialisable
  public RangePartitioner(List<? extends K> bounds, Comparator<? super K> order) {
    this.bounds = bounds.toArray();
    this.order = order;
  }

  /// Finds the bounds in a random sample of the keys. It runs a job that goes over the keys, and a
  /// second one if the sizes of the partitions differ much. If `numPartitions` is 1, it runs no
  /// job.
  ///
  /// @param numPartitions how many partitions there are at most. There are fewer if the sample has
  ///     fewer different keys
  public static <K> RangePartitioner<K> sampling(
      RDD<? extends Pair<K, ?>> pairs, int numPartitions, Comparator<? super K> order) {
    if (numPartitions != pairs.numPartitions()) { // an RDD without partitions is sorted into none
      Arguments.partitions(numPartitions);
    }
    if (numPartitions <= 1) {
      return new RangePartitioner<>(List.of(), order);
    }
    return new RangePartitioner<>(
        bounds(new KeySampler<K>(pairs, numPartitions).sample(), numPartitions, order), order);
  }

  /// A key that stands for `weight` keys.
  record WeightedKey<K>(K key, double weight) {}

  /// Cuts a sample into ranges of equal weight; a bound that equals the one before is left out.
  static <K> List<K> bounds(
      List<WeightedKey<K>> sample, int numPartitions, Comparator<? super K> order) {
    List<WeightedKey<K>> sorted = new ArrayList<>(sample);
    sorted.sort((a, b) -> order.compare(a.key(), b.key()));
    double step = sorted.stream().mapToDouble(WeightedKey::weight).sum() / numPartitions;
    List<K> bounds = new ArrayList<>(numPartitions - 1);
    double passed = 0;
    double target = step;
    for (WeightedKey<K> candidate : sorted) {
      if (bounds.size() == numPartitions - 1) {
        break;
      }
      passed += candidate.weight();
      if (passed >= target
          && (bounds.isEmpty()
              || order.compare(candidate.key(), bounds.get(bounds.size() - 1)) > 0)) {
        bounds.add(candidate.key());
        target += step;
      }
    }
    return bounds;
  }

  @Override
  public int numPartitions() {
    return bounds.length + 1;
  }

  /// Returns the order in which the ranges follow each other.
  public Comparator<? super K> order() {
    return order;
  }

  @Override
  @SuppressWarnings("unchecked") // keys of another type fail in the comparator
  public int partition(Object key) {
    Comparator<Object> comparator = (Comparator<Object>) order;
    int low = 0;
    int high = bounds.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (comparator.compare(key, bounds[middle]) <= 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RangePartitioner<?> that
        && Arrays.equals(that.bounds, bounds)
        && that.order.equals(order);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bounds);
  }

  /// Samples the keys of an RDD: equally many of each partition first; then more of those that turn
  /// out to be much larger than others.
  private static final class KeySampler<K> {
    private final RDD<Pair<K, Object>> pairs;
    private final double wanted;
    private final int samplesEach;
    private final long seed;

    /// What was drawn from a partition of `size` keys.
    private record Drawn(long size, Object[] keys) implements Serializable {}

    KeySampler(RDD<?> pairs, int numPartitions) {
      this.pairs = Transformations.castRecords(pairs);
      this.wanted = Math.min((double) SAMPLES_PER_PARTITION * numPartitions, MAX_SAMPLES);
      // Three times as many, as small partitions won't give theirs.
      this.samplesEach = (int) Math.ceil(3 * wanted / Math.max(1, pairs.numPartitions()));
      this.seed = Randomness.mix(pairs.id());
    }

    List<WeightedKey<K>> sample() {
      List<Drawn> drawn = pairs.context().runJob(pairs, reservoir(samplesEach, seed));
      double total = drawn.stream().mapToDouble(Drawn::size).sum();
      double fraction = Math.min(wanted / Math.max(total, 1), 1);
      List<WeightedKey<K>> sample = new ArrayList<>();
      int[] large =
          IntStream.range(0, drawn.size())
              .filter(i -> fraction * drawn.get(i).size() > samplesEach)
              .toArray();
      for (int i = 0; i < drawn.size(); i++) {
        if (Arrays.binarySearch(large, i) < 0) {
          Drawn part = drawn.get(i);
          addAll(sample, part.keys(), part.size() / (double) Math.max(1, part.keys().length));
        }
      }
      if (large.length > 0) {
        for (Object[] keys : pairs.context().runJob(pairs, each(fraction, seed), large)) {
          addAll(sample, keys, 1 / fraction);
        }
      }
      return sample;
    }

    private static <K> void addAll(List<WeightedKey<K>> sample, Object[] keys, double weight) {
      for (Object key : keys) {
        sample.add(new WeightedKey<>(Transformations.<K>cast(key), weight));
      }
    }

    /// `size` keys of each partition, each as probable as any other.
    private static <K> PartitionFunction<Pair<K, Object>, Drawn> reservoir(int size, long seed) {
      return (task, records) -> {
        Reservoir<K> reservoir =
            new Reservoir<>(size, Randomness.forPartition(seed, task.partitionId()));
        records.forEach(reservoir);
        return new Drawn(
            reservoir.seen, Arrays.copyOf(reservoir.keys, (int) Math.min(reservoir.seen, size)));
      };
    }

    /// Each key with the same probability.
    private static <K> PartitionFunction<Pair<K, Object>, Object[]> each(
        double probability, long seed) {
      return (task, records) -> {
        SplittableRandom random = Randomness.forPartition(~seed, task.partitionId());
        List<Object> keys = new ArrayList<>();
        records.forEach(
            pair -> {
              if (random.nextDouble() < probability) {
                keys.add(pair.key());
              }
              return true;
            });
        return keys.toArray();
      };
    }
  }

  /// Keeps a random sample of what it is given; computes only at the records that it takes, by
  /// jumping over the others (Li 1994, algorithm L).
  static final class Reservoir<K> implements Sink<Pair<K, Object>> {
    private final Object[] keys;
    private final SplittableRandom random;
    private long seen;
    private long nextTaken;
    private double weight = 1;

    Reservoir(int size, SplittableRandom random) {
      this.keys = new Object[size];
      this.random = random;
    }

    @Override
    public boolean accept(Pair<K, Object> pair) {
      long position = seen++;
      if (position < keys.length) {
        keys[(int) position] = pair.key();
        if (seen == keys.length) {
          nextTaken = position;
          jump();
        }
      } else if (position == nextTaken) {
        keys[random.nextInt(keys.length)] = pair.key();
        jump();
      }
      return true;
    }

    private void jump() {
      weight *= Math.exp(Math.log(1 - random.nextDouble()) / keys.length);
      nextTaken += (long) (Math.log(1 - random.nextDouble()) / Math.log1p(-weight)) + 1;
    }

    Object[] keys() {
      return keys.clone();
    }
  }
}
