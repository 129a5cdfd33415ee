package io.kiln.api;

import io.kiln.api.function.Function;
import io.kiln.api.function.Predicate;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// An RDD of numbers, with their sums and statistics.
///
/// It is a view, as [PairRDD] is. Its actions go over the numbers once unless they say otherwise.
public final class DoubleRDD extends RDD<Double> {

  private DoubleRDD(RDD<Double> source) {
    super(source);
  }

  /// A view of an RDD of numbers.
  public static DoubleRDD from(RDD<Double> numbers) {
    return numbers instanceof DoubleRDD already ? already : new DoubleRDD(numbers);
  }

  // ---- the view -----------------------------------------------------------------------------

  @Override
  protected List<? extends Partition> computePartitions() {
    return node().partitions();
  }

  @Override
  public Iterator<Double> compute(Partition split, TaskContext task) throws Exception {
    return node().computeOrRestore(split, task);
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super Double> sink)
      throws Exception {
    node().pushOrRestore(split, task, sink);
  }

  @Override
  public Optional<Partitioner> partitioner() {
    return node().partitioner();
  }

  // ---- sums and statistics ------------------------------------------------------------------

  /// Action: returns the sum; 0 if there are no numbers.
  public double sum() {
    return context()
        .runJob(
            node(),
            (_, records) -> {
              double[] sum = {0};
              records.forEach(
                  value -> {
                    sum[0] += value;
                    return true;
                  });
              return sum[0];
            })
        .stream()
        .reduce(0.0, Double::sum);
  }

  /// Action: returns the count, mean, variance and extremes together.
  public DoubleStatistics stats() {
    DoubleStatistics all = new DoubleStatistics();
    for (DoubleStatistics part :
        context().runJob(node(), (_, records) -> Approximations.statistics(records))) {
      all.merge(part);
    }
    return all;
  }

  /// Action: returns the mean; 0 if there are no numbers.
  public double mean() {
    return stats().mean();
  }

  /// Action: returns the mean square deviation from the mean. It is NaN if there are no numbers.
  public double variance() {
    return stats().variance();
  }

  /// Action: returns the variance of the population of which the numbers are a sample. It is NaN if
  /// there are fewer than two.
  public double sampleVariance() {
    return stats().sampleVariance();
  }

  /// Action: returns the square root of [#variance].
  public double stdev() {
    return stats().stdev();
  }

  /// Action: returns the square root of [#sampleVariance].
  public double sampleStdev() {
    return stats().sampleStdev();
  }

  /// Action: returns the largest number.
  ///
  /// @throws KilnException `EMPTY_RDD` if there is none
  public double max() {
    return max(Comparator.<Double>naturalOrder());
  }

  /// Action: returns the smallest number.
  ///
  /// @throws KilnException `EMPTY_RDD` if there is none
  public double min() {
    return min(Comparator.<Double>naturalOrder());
  }

  /// Action: counts the numbers in `buckets` buckets of equal width, from the smallest to the
  /// largest number. It needs two passes. If all numbers are equal, there is one bucket.
  ///
  /// @throws KilnException `HISTOGRAM_INVALID` if there are no numbers, or one is not finite, or
  ///     the heap can't hold so many buckets
  public Histogram histogram(int buckets) {
    return Histograms.even(this, buckets);
  }

  /// Action: counts the numbers between given bounds. Numbers outside, and NaN, are left out.
  ///
  /// @param bounds are at least two, in ascending order
  /// @return a count for each bucket, which is one fewer than there are bounds. A bucket includes
  ///     its lower bound, and the last bucket includes its upper bound too
  public long[] histogram(double[] bounds) {
    return Histograms.between(this, bounds);
  }

  /// Same, with confidence 0.95.
  public PartialResult<BoundedDouble> sumApprox(long timeoutMillis) {
    return sumApprox(timeoutMillis, 0.95);
  }

  /// Action: estimates the sum from the partitions that are done when the time is up.
  public PartialResult<BoundedDouble> sumApprox(long timeoutMillis, double confidence) {
    return Approximations.sum(this, timeoutMillis, confidence);
  }

  /// Same, with confidence 0.95.
  public PartialResult<BoundedDouble> meanApprox(long timeoutMillis) {
    return meanApprox(timeoutMillis, 0.95);
  }

  /// Action: estimates the mean from the partitions that are done when the time is up.
  public PartialResult<BoundedDouble> meanApprox(long timeoutMillis, double confidence) {
    return Approximations.mean(this, timeoutMillis, confidence);
  }

  // ---- operations of RDD that keep numbers --------------------------------------------------

  @Override
  public DoubleRDD filter(Predicate<? super Double> predicate) {
    return from(super.filter(predicate));
  }

  @Override
  public DoubleRDD union(RDD<Double> other) {
    return from(super.union(other));
  }

  @Override
  public DoubleRDD intersection(RDD<Double> other) {
    return from(super.intersection(other));
  }

  @Override
  public DoubleRDD intersection(RDD<Double> other, int numPartitions) {
    return from(super.intersection(other, numPartitions));
  }

  @Override
  public DoubleRDD intersection(RDD<Double> other, Partitioner partitioner) {
    return from(super.intersection(other, partitioner));
  }

  @Override
  public DoubleRDD subtract(RDD<Double> other) {
    return from(super.subtract(other));
  }

  @Override
  public DoubleRDD subtract(RDD<Double> other, int numPartitions) {
    return from(super.subtract(other, numPartitions));
  }

  @Override
  public DoubleRDD subtract(RDD<Double> other, Partitioner partitioner) {
    return from(super.subtract(other, partitioner));
  }

  @Override
  public DoubleRDD distinct() {
    return from(super.distinct());
  }

  @Override
  public DoubleRDD distinct(int numPartitions) {
    return from(super.distinct(numPartitions));
  }

  @Override
  public <S extends Comparable<? super S>> DoubleRDD sortBy(Function<? super Double, S> key) {
    return from(super.sortBy(key));
  }

  @Override
  public <S extends Comparable<? super S>> DoubleRDD sortBy(
      Function<? super Double, S> key, boolean ascending, int numPartitions) {
    return from(super.sortBy(key, ascending, numPartitions));
  }

  @Override
  public <S> DoubleRDD sortBy(
      Function<? super Double, S> key, Comparator<? super S> order, int numPartitions) {
    return from(super.sortBy(key, order, numPartitions));
  }

  @Override
  public DoubleRDD coalesce(int numPartitions) {
    return from(super.coalesce(numPartitions));
  }

  @Override
  public DoubleRDD coalesce(int numPartitions, boolean shuffle) {
    return from(super.coalesce(numPartitions, shuffle));
  }

  @Override
  public DoubleRDD repartition(int numPartitions) {
    return from(super.repartition(numPartitions));
  }

  @Override
  public DoubleRDD sample(boolean withReplacement, double fraction) {
    return from(super.sample(withReplacement, fraction));
  }

  @Override
  public DoubleRDD sample(boolean withReplacement, double fraction, long seed) {
    return from(super.sample(withReplacement, fraction, seed));
  }

  @Override
  public DoubleRDD cache() {
    super.cache();
    return this;
  }

  @Override
  public DoubleRDD persist() {
    super.persist();
    return this;
  }

  @Override
  public DoubleRDD persist(StorageLevel level) {
    super.persist(level);
    return this;
  }

  @Override
  public DoubleRDD unpersist() {
    super.unpersist();
    return this;
  }

  @Override
  public DoubleRDD unpersist(boolean blocking) {
    super.unpersist(blocking);
    return this;
  }

  @Override
  public DoubleRDD localCheckpoint() {
    super.localCheckpoint();
    return this;
  }

  @Override
  public DoubleRDD setName(String newName) {
    super.setName(newName);
    return this;
  }

  /// The histograms.
  private static final class Histograms {
    /// A bucket has a bound and a count.
    private static final long BUCKET_BYTES = 2 * Double.BYTES;

    /// No array has more elements.
    private static final int MOST_BUCKETS = Integer.MAX_VALUE - 64;

    private static KilnException invalid(String message) {
      return new KilnException("HISTOGRAM_INVALID", KilnException.Kind.USER, message);
    }

    static Histogram even(DoubleRDD numbers, int buckets) {
      if (buckets < 1) {
        throw invalid("a histogram can't have " + buckets + " buckets; give 1 or more");
      }
      DoubleStatistics statistics = numbers.stats();
      double min = statistics.min();
      double max = statistics.max();
      if (!Double.isFinite(min) || !Double.isFinite(max)) {
        throw invalid(
            "no histogram of an RDD without numbers, or with an infinite one or NaN; give the"
                + " bounds, or filter first");
      }
      double[] bounds;
      if (min == max) {
        bounds = new double[] {min, max};
      } else {
        requireRoom(buckets);
        bounds = new double[buckets + 1];
        for (int i = 0; i < buckets; i++) {
          bounds[i] = bound(min, max, i, buckets);
        }
        bounds[buckets] = max;
      }
      return new Histogram(bounds, between(numbers, bounds));
    }

    /// Each task has the buckets, too.
    private static void requireRoom(int buckets) {
      long bytes = buckets * BUCKET_BYTES;
      if (buckets > MOST_BUCKETS || bytes > Runtime.getRuntime().maxMemory()) {
        throw invalid(
            "a histogram of "
                + buckets
                + " buckets takes "
                + (bytes >> 20)
                + " MiB, which is more than this process can hold; give fewer");
      }
    }

    /// By halves where the whole is beyond the largest number.
    private static double bound(double min, double max, int index, int buckets) {
      double reach = index * (max - min);
      return Double.isFinite(reach)
          ? min + reach / buckets
          : 2 * (min / 2 + index * ((max / 2 - min / 2) / buckets));
    }

    static long[] between(DoubleRDD numbers, double[] bounds) {
      if (Arguments.present(bounds, "histogram", "bounds").length < 2) {
        throw invalid("a histogram needs at least 2 bounds, not " + bounds.length);
      }
      for (int i = 1; i < bounds.length; i++) {
        if (!(bounds[i - 1] <= bounds[i])) {
          throw invalid("the bounds %s don't ascend".formatted(Arrays.toString(bounds)));
        }
      }
      double[] copy = bounds.clone();
      long[] all = new long[bounds.length - 1];
      for (long[] part :
          numbers
              .context()
              .runJob(
                  numbers.node(),
                  (_, records) -> {
                    long[] counts = new long[copy.length - 1];
                    records.forEach(
                        value -> {
                          int bucket = bucket(copy, value);
                          if (bucket >= 0) {
                            counts[bucket]++;
                          }
                          return true;
                        });
                    return counts;
                  })) {
        for (int i = 0; i < all.length; i++) {
          all[i] += part[i];
        }
      }
      return all;
    }

    /// @return -1 for a number that is in no bucket
    private static int bucket(double[] bounds, double value) {
      int last = bounds.length - 1;
      if (!(value >= bounds[0] && value <= bounds[last])) {
        return -1;
      }
      // -0.0 is 0.0 here, though not to the search.
      int found = Arrays.binarySearch(bounds, value + 0.0);
      return Math.min(found >= 0 ? found : -found - 2, last - 1);
    }
  }
}
