package acceptance;

import io.kiln.api.BoundedDouble;
import io.kiln.api.DoubleRDD;
import io.kiln.api.DoubleStatistics;
import io.kiln.api.HashPartitioner;
import io.kiln.api.Histogram;
import io.kiln.api.KilnContext;
import io.kiln.api.PartialResult;
import io.kiln.api.Partitioner;
import io.kiln.api.RDD;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Numbers, statistics and estimates.
final class Numbers {
  private static final Partitioner IN_2 = new HashPartitioner(2);
  private static final double SUM = 1262.5;
  private static final double MEAN = 12.625;
  private static final double VARIANCE =
      Data.DECIMALS.stream().mapToDouble(d -> (d - MEAN) * (d - MEAN)).sum() / 100;
  private static final double NEAR = 1e-9;

  private Numbers() {}

  static void check(KilnContext sc, Checks c) {
    DoubleRDD numbers = sc.parallelizeDoubles(Data.DECIMALS, 4);
    statistics(numbers, c);
    histograms(numbers, c);
    estimates(sc, numbers, c);
    asRdds(numbers, c);
  }

  private static void near(
      Checks c, String name, double expected, java.util.concurrent.Callable<Double> operation) {
    c.between(name, expected - NEAR, expected + NEAR, operation);
  }

  private static void statistics(DoubleRDD numbers, Checks c) {
    c.group("statistics");
    near(c, "sum", SUM, numbers::sum);
    near(c, "mean", MEAN, numbers::mean);
    near(c, "variance", VARIANCE, numbers::variance);
    near(c, "sampleVariance", VARIANCE * 100 / 99, numbers::sampleVariance);
    near(c, "stdev", Math.sqrt(VARIANCE), numbers::stdev);
    near(c, "sampleStdev", Math.sqrt(VARIANCE * 100 / 99), numbers::sampleStdev);
    c.equal("max", 25.0, numbers::max);
    c.equal("min", 0.25, numbers::min);
    DoubleStatistics stats = numbers.stats();
    DoubleStatistics own =
        DoubleStatistics.of(1, 2).merge(new DoubleStatistics().add(3)).merge(DoubleStatistics.of());
    c.equal(
        "stats", List.of(100L, 0.25, 25.0), () -> List.of(stats.count(), stats.min(), stats.max()));
    near(c, "stats' mean", MEAN, stats::mean);
    near(c, "stats' sum", SUM, stats::sum);
    near(c, "stats' variance", VARIANCE, stats::variance);
    near(c, "stats' sampleVariance", 1, own::sampleVariance);
    near(c, "stats' stdev", Math.sqrt(VARIANCE), stats::stdev);
    near(c, "stats' sampleStdev", 1, own::sampleStdev);
    c.equal("from", Data.DECIMALS, () -> DoubleRDD.from(numbers.map(d -> d)).collect());
    c.equal(
        "stats in an aggregation",
        100L,
        () ->
            numbers
                .aggregate(new DoubleStatistics(), DoubleStatistics::add, DoubleStatistics::merge)
                .count());
  }

  private static void histograms(DoubleRDD numbers, Checks c) {
    c.group("histograms");
    c.equal(
        "histogram of buckets",
        new long[] {39, 40, 21},
        () -> numbers.histogram(new double[] {0, 10, 20, 25}));
    Histogram even = numbers.histogram(3);
    c.equal("histogram's counts", new long[] {33, 33, 34}, even::counts);
    c.equal("histogram's bounds", new double[] {0.25, 8.5, 16.75, 25}, even::bounds);
    c.equal(
        "a histogram of one's own",
        List.of(1L, 2.0),
        () -> {
          Histogram own = new Histogram(new double[] {1, 2}, new long[] {1});
          return List.of(own.counts()[0], own.bounds()[1]);
        });
  }

  /// Of counts that are exact.
  static <K> Map<K, Long> means(Map<K, BoundedDouble> counts) {
    Map<K, Long> means = new HashMap<>();
    counts.forEach((key, count) -> means.put(key, (long) count.mean()));
    return means;
  }

  private static void estimates(KilnContext sc, DoubleRDD numbers, Checks c) {
    c.group("estimates");
    RDD<String> texts = sc.parallelize(List.of("a", "b", "a"), 2);
    Map<String, Long> counts = Map.of("a", 2L, "b", 1L);
    c.equal("countApprox", 100.0, () -> numbers.countApprox(300_000).finalValue().mean());
    c.equal(
        "countApprox with a confidence",
        new BoundedDouble(100, 1, 100, 100),
        () -> numbers.countApprox(300_000, 0.9).initialValue());
    near(c, "sumApprox", SUM, () -> numbers.sumApprox(300_000).finalValue().low());
    near(
        c,
        "sumApprox with a confidence",
        SUM,
        () -> numbers.sumApprox(300_000, 0.9).finalValue().high());
    near(c, "meanApprox", MEAN, () -> numbers.meanApprox(300_000).finalValue().mean());
    near(
        c,
        "meanApprox's confidence",
        1,
        () -> numbers.meanApprox(300_000, 0.9).finalValue().confidence());
    c.equal(
        "countByValueApprox", counts, () -> means(texts.countByValueApprox(300_000).finalValue()));
    c.equal(
        "countByValueApprox with a confidence",
        counts,
        () -> means(texts.countByValueApprox(300_000, 0.9).finalValue()));
    c.equal(
        "a result that is there in time",
        List.of(true, 3.0, 3.0),
        () -> {
          PartialResult<BoundedDouble> partial = texts.countApprox(300_000);
          CompletableFuture<Double> told = new CompletableFuture<>();
          partial.onComplete(count -> told.complete(count.mean()));
          return List.of(
              partial.isInitialValueFinal(),
              told.get(300, TimeUnit.SECONDS),
              partial.future().await().mean());
        });
    c.between("countApproxDistinct", 90, 110, numbers::countApproxDistinct);
    c.between(
        "countApproxDistinct with a deviation", 97, 103, () -> numbers.countApproxDistinct(0.01));
  }

  /// Each operation that an RDD of numbers narrows to such.
  private static void asRdds(DoubleRDD numbers, Checks c) {
    c.group("numbers as records");
    List<Double> high = Data.DECIMALS.stream().filter(d -> d > 20).toList();
    List<Double> low = Data.DECIMALS.stream().filter(d -> d <= 20).toList();
    DoubleRDD some = numbers.filter(d -> d > 20);
    c.equal("filter", high, some::collect);
    c.equal(
        "union",
        Stream.concat(low.stream(), high.stream()).toList(),
        () -> numbers.filter(d -> d <= 20).union(some).collect());
    c.bag("intersection", high, () -> numbers.intersection(some).collect());
    c.bag("intersection in 2", high, () -> numbers.intersection(some, 2).collect());
    c.bag("intersection by a partitioner", high, () -> numbers.intersection(some, IN_2).collect());
    c.bag("subtract", low, () -> numbers.subtract(some).collect());
    c.bag("subtract in 2", low, () -> numbers.subtract(some, 2).collect());
    c.bag("subtract by a partitioner", low, () -> numbers.subtract(some, IN_2).collect());
    c.bag("distinct", Data.DECIMALS, () -> numbers.union(some).distinct().collect());
    c.bag("distinct in 2", Data.DECIMALS, () -> numbers.union(some).distinct(2).collect());
    c.equal("sortBy", Data.DECIMALS.reversed(), () -> numbers.sortBy(d -> -d).collect());
    c.equal(
        "sortBy downwards",
        Data.DECIMALS.reversed(),
        () -> numbers.sortBy(d -> d, false, 3).collect());
    c.equal(
        "sortBy by an order",
        Data.DECIMALS.reversed(),
        () -> numbers.sortBy(d -> d, Comparator.<Double>reverseOrder(), 3).collect());
    c.equal("coalesce", Data.DECIMALS, () -> numbers.coalesce(2).collect());
    c.bag("coalesce with a shuffle", Data.DECIMALS, () -> numbers.coalesce(5, true).collect());
    c.bag("repartition", Data.DECIMALS, () -> numbers.repartition(2).collect());
    c.holds("sample", () -> Data.DECIMALS.containsAll(numbers.sample(false, 0.5).collect()));
    c.equal(
        "sample with a seed",
        numbers.sample(true, 0.5, 5).sum(),
        () -> numbers.sample(true, 0.5, 5).sum());
    c.equal(
        "setName",
        Optional.of("numbers"),
        () -> numbers.filter(_ -> true).setName("numbers").name());
    c.equal("partitioner", Optional.empty(), numbers::partitioner);
  }
}
