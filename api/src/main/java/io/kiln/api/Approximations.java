package io.kiln.api;

import io.kiln.api.spi.PartitionFunction;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/// Actions that give an estimate when the time is up.
final class Approximations {

  private Approximations() {}

  /// Gathers the partitions' results and estimates the whole. Used under its own lock.
  private abstract static class Estimator<P, R> {
    final int total;
    final double confidence;
    int merged;

    Estimator(int total, double confidence) {
      this.total = total;
      this.confidence = confidence;
    }

    final synchronized void merge(P part) {
      merged++;
      add(part);
    }

    final synchronized R current() {
      return estimate();
    }

    abstract void add(P part);

    abstract R estimate();

    boolean isComplete() {
      return merged == total;
    }

    double share() {
      return (double) merged / total;
    }
  }

  private static <T, P, R> PartialResult<R> run(
      RDD<T> rdd, PartitionFunction<T, P> function, Estimator<P, R> estimator, long timeoutMillis) {
    if (!(estimator.confidence > 0 && estimator.confidence < 1)) {
      throw new KilnException(
          "CONFIDENCE_INVALID",
          KilnException.Kind.USER,
          "the confidence can't be " + estimator.confidence + "; give a number between 0 and 1");
    }
    if (timeoutMillis < 0) {
      throw new KilnException(
          "TIMEOUT_NEGATIVE",
          KilnException.Kind.USER,
          "an estimate can't be had in %d ms; give 0 or more".formatted(timeoutMillis));
    }
    JobFuture<R> future =
        rdd.context()
            .submitJob(
                rdd,
                function,
                IntStream.range(0, rdd.numPartitions()).toArray(),
                (_, part) -> estimator.merge(part),
                estimator::current);
    try {
      return new PartialResult<>(future.get(timeoutMillis, TimeUnit.MILLISECONDS), true, future);
    } catch (TimeoutException _) {
      future.dispense();
      return new PartialResult<>(estimator.current(), false, future);
    } catch (ExecutionException _) {
      return new PartialResult<>(future.await(), true, future); // throws what the job failed with
    } catch (InterruptedException e) {
      future.cancel(true);
      Thread.currentThread().interrupt();
      throw KilnContext.interrupted(e);
    }
  }

  /// From a part of the partitions: what the others hold is a Poisson number with the same rate.
  static BoundedDouble boundedCount(double confidence, long found, double share) {
    double rest = found * (1 - share) / share;
    double low = Distributions.poissonQuantile((1 - confidence) / 2, rest);
    double high = Distributions.poissonQuantile((1 + confidence) / 2, rest);
    return new BoundedDouble(found / share, confidence, found + low, found + high);
  }

  static <T> PartialResult<BoundedDouble> count(RDD<T> rdd, long timeoutMillis, double confidence) {
    return run(
        rdd,
        (_, records) -> Actions.size(records),
        new Estimator<Long, BoundedDouble>(rdd.numPartitions(), confidence) {
          private long found;

          @Override
          void add(Long part) {
            found += part;
          }

          @Override
          BoundedDouble estimate() {
            if (isComplete()) {
              return new BoundedDouble(found, 1, found, found);
            }
            return found == 0
                ? new BoundedDouble(0, 0, 0, Double.POSITIVE_INFINITY)
                : boundedCount(confidence, found, share());
          }
        },
        timeoutMillis);
  }

  static <T> PartialResult<Map<T, BoundedDouble>> countByValue(
      RDD<T> rdd, long timeoutMillis, double confidence) {
    return run(
        rdd,
        (_, records) -> Actions.histogram(records),
        new Estimator<Map<T, Long>, Map<T, BoundedDouble>>(rdd.numPartitions(), confidence) {
          private final Map<T, Long> found = new HashMap<>();

          @Override
          void add(Map<T, Long> part) {
            part.forEach((value, count) -> found.merge(value, count, Long::sum));
          }

          @Override
          Map<T, BoundedDouble> estimate() {
            Map<T, BoundedDouble> estimates = new HashMap<>();
            found.forEach(
                (value, count) ->
                    estimates.put(
                        value,
                        isComplete()
                            ? new BoundedDouble(count, 1, count, count)
                            : boundedCount(confidence, count, share())));
            return estimates;
          }
        },
        timeoutMillis);
  }

  static DoubleStatistics statistics(Records<Double> records) throws Exception {
    DoubleStatistics statistics = new DoubleStatistics();
    records.forEach(
        value -> {
          statistics.add(value);
          return true;
        });
    return statistics;
  }

  /// The mean of what the numbers are a sample of.
  private static BoundedDouble boundedMean(double confidence, DoubleStatistics found) {
    if (found.count() < 2) {
      return new BoundedDouble(
          found.mean(), confidence, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }
    double deviation = Math.sqrt(found.sampleVariance() / found.count());
    double reach =
        deviation * Distributions.studentQuantile((1 + confidence) / 2, found.count() - 1);
    return bounded(found.mean(), confidence, reach);
  }

  /// Numbers that are infinite or NaN bound nothing.
  private static BoundedDouble bounded(double estimate, double confidence, double reach) {
    return Double.isFinite(estimate) && !Double.isNaN(reach)
        ? new BoundedDouble(estimate, confidence, estimate - reach, estimate + reach)
        : new BoundedDouble(
            estimate, confidence, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
  }

  static PartialResult<BoundedDouble> mean(DoubleRDD rdd, long timeoutMillis, double confidence) {
    return run(
        rdd,
        (_, records) -> statistics(records),
        new Estimator<DoubleStatistics, BoundedDouble>(rdd.numPartitions(), confidence) {
          private final DoubleStatistics found = new DoubleStatistics();

          @Override
          void add(DoubleStatistics part) {
            found.merge(part);
          }

          @Override
          BoundedDouble estimate() {
            return isComplete()
                ? new BoundedDouble(found.mean(), 1, found.mean(), found.mean())
                : boundedMean(confidence, found);
          }
        },
        timeoutMillis);
  }

  static PartialResult<BoundedDouble> sum(DoubleRDD rdd, long timeoutMillis, double confidence) {
    return run(
        rdd,
        (_, records) -> statistics(records),
        new Estimator<DoubleStatistics, BoundedDouble>(rdd.numPartitions(), confidence) {
          private final DoubleStatistics found = new DoubleStatistics();

          @Override
          void add(DoubleStatistics part) {
            found.merge(part);
          }

          @Override
          BoundedDouble estimate() {
            double sum = found.sum();
            if (isComplete()) {
              return new BoundedDouble(sum, 1, sum, sum);
            }
            if (found.count() < 2) {
              return new BoundedDouble(sum, 0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
            }
            return boundedSum(confidence, found, share());
          }
        },
        timeoutMillis);
  }

  /// The product of two independent estimates: how many numbers there are, and their mean.
  static BoundedDouble boundedSum(double confidence, DoubleStatistics found, double share) {
    double count = found.count() / share;
    double countVariance = found.count() * (1 - share) / (share * share);
    double meanVariance = found.sampleVariance() / found.count();
    double sum = count * found.mean();
    double variance =
        meanVariance * count * count
            + countVariance * found.mean() * found.mean()
            + meanVariance * countVariance;
    double reach =
        Math.sqrt(variance)
            * Distributions.studentQuantile((1 + confidence) / 2, found.count() - 1);
    return bounded(sum, confidence, reach);
  }

  static <T> long countDistinct(RDD<T> rdd, double relativeDeviation) {
    int precision = HyperLogLog.precisionFor(relativeDeviation);
    HyperLogLog all = new HyperLogLog(precision);
    for (HyperLogLog part :
        rdd.context()
            .runJob(
                rdd,
                (_, records) -> {
                  HyperLogLog sketch = new HyperLogLog(precision);
                  records.forEach(
                      value -> {
                        sketch.add(value);
                        return true;
                      });
                  return sketch;
                })) {
      all.merge(part);
    }
    return all.estimate();
  }
}
