package io.kiln.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// What is computed without an engine: sketches, quantiles, samples, ranges.
final class EstimatesTest {

  @Test
  void hyperLogLogStaysWithinFourDeviations() {
    for (double deviation : new double[] {0.05, 0.01}) {
      int precision = HyperLogLog.precisionFor(deviation);
      for (int size : new int[] {0, 1, 10, 100, 1000, 20_000, 300_000}) {
        HyperLogLog left = new HyperLogLog(precision);
        HyperLogLog right = new HyperLogLog(precision);
        for (int i = 0; i < size; i++) {
          (i % 2 == 0 ? left : right).add("value " + i).add("value " + i);
          right.add("value " + i / 2);
        }
        assertThat(left.merge(right).estimate())
            .as("%d values, deviation %s", size, deviation)
            .isCloseTo(size, within((long) Math.ceil(size * deviation * 4)));
      }
    }
  }

  @Test
  void hyperLogLogCountsFewExactlyAndManyAsAsked() {
    for (double deviation : new double[] {0.05, 0.01}) {
      int precision = HyperLogLog.precisionFor(deviation);
      int exact = (1 << precision) / 2;
      for (int size : new int[] {1, 10, 100, exact, exact + 1, 2 * exact, 5 * exact, 50 * exact}) {
        int trials = 20;
        double squares = 0;
        for (int trial = 0; trial < trials; trial++) {
          HyperLogLog[] parts = new HyperLogLog[3];
          Arrays.setAll(parts, _ -> new HyperLogLog(precision));
          for (int i = 0; i < size; i++) {
            parts[i % 3 == 0 ? 0 : 1].add(i + trial * 1_000_003);
          }
          parts[2].add(trial * 1_000_003);
          long estimate = parts[2].merge(parts[0]).merge(parts[1]).estimate();
          squares += Math.pow((estimate - size) / (double) size, 2);
        }
        double rootMeanSquare = Math.sqrt(squares / trials);
        if (size <= exact) {
          assertThat(rootMeanSquare).as("%d values, deviation %s", size, deviation).isZero();
        }
        assertThat(rootMeanSquare)
            .as("%d values, deviation %s", size, deviation)
            .isLessThan(deviation * 1.6); // three sigma of the mean of so few trials
      }
    }
  }

  @Test
  void quantiles() {
    assertThat(Distributions.normalQuantile(0.975)).isCloseTo(1.959964, within(1e-5));
    assertThat(Distributions.normalQuantile(0.01)).isCloseTo(-2.326348, within(1e-5));
    assertThat(Distributions.studentQuantile(0.975, 1)).isCloseTo(12.7062, within(1e-3));
    assertThat(Distributions.studentQuantile(0.975, 2)).isCloseTo(4.30265, within(1e-3));
    assertThat(Distributions.studentQuantile(0.975, 3)).isCloseTo(3.18245, within(0.04));
    assertThat(Distributions.studentQuantile(0.975, 30)).isCloseTo(2.04227, within(1e-4));
    assertThat(Distributions.poissonQuantile(0.975, 10)).isEqualTo(17);
    assertThat(Distributions.poissonQuantile(0.025, 10)).isEqualTo(4);
    assertThat(Distributions.poissonQuantile(0.5, 900)).isEqualTo(900);
    assertThat(Distributions.poissonQuantile(0.975, 10_000)).isCloseTo(10_197, within(2.0));
  }

  @Test
  void countFromHalfOfThePartitionsIsBounded() {
    BoundedDouble bounded = Approximations.boundedCount(0.95, 500, 0.5);
    assertThat(bounded.mean()).isEqualTo(1000);
    assertThat(bounded.low()).isBetween(940.0, 970.0);
    assertThat(bounded.high()).isBetween(1030.0, 1060.0);
  }

  @Test
  void distributionsOfDraws() {
    SplittableRandom random = new SplittableRandom(1);
    for (double mean : new double[] {0.3, 4, 1200}) {
      double[] draws =
          IntStream.range(0, 4000).mapToDouble(_ -> Randomness.poisson(random, mean)).toArray();
      DoubleStatistics stats = DoubleStatistics.of(draws);
      assertThat(stats.mean()).isCloseTo(mean, within(5 * Math.sqrt(mean / 4000)));
      assertThat(stats.variance()).isCloseTo(mean, within(mean * 0.25));
    }
    for (double probability : new double[] {0.02, 0.5, 0.9}) {
      double[] draws =
          IntStream.range(0, 4000)
              .mapToDouble(_ -> Randomness.binomial(random, 50, probability))
              .toArray();
      DoubleStatistics stats = DoubleStatistics.of(draws);
      double variance = 50 * probability * (1 - probability);
      assertThat(stats.mean()).isCloseTo(50 * probability, within(5 * Math.sqrt(variance / 4000)));
      assertThat(stats.variance()).isCloseTo(variance, within(variance * 0.25));
      assertThat(stats.max()).isLessThanOrEqualTo(50);
    }
  }

  @Test
  void dealtChoicesAreExactAndFair() {
    long[] groups = {10, 0, 30, 60};
    for (boolean withReplacement : new boolean[] {false, true}) {
      long[] totals = new long[4];
      for (int seed = 0; seed < 400; seed++) {
        for (long wanted : new long[] {0, 20, 80, 100}) {
          long[] dealt = Sampling.deal(groups, wanted, withReplacement, new SplittableRandom(seed));
          assertThat(LongStream.of(dealt).sum()).isEqualTo(wanted);
          for (int i = 0; i < 4; i++) {
            totals[i] += dealt[i];
            assertThat(withReplacement || dealt[i] <= groups[i]).isTrue();
          }
        }
      }
      assertThat(totals[0]).isCloseTo(8_000, within(400L));
      assertThat(totals[1]).isZero();
      assertThat(totals[3]).isCloseTo(48_000, within(800L));
    }
  }

  @Test
  void reservoirTakesEachKeyEquallyOften() {
    int[] taken = new int[200];
    for (int seed = 0; seed < 2000; seed++) {
      var reservoir = new RangePartitioner.Reservoir<Integer>(10, Randomness.forPartition(seed, 0));
      IntStream.range(0, 200).forEach(i -> reservoir.accept(Pair.of(i, null)));
      for (Object key : reservoir.keys()) {
        taken[(Integer) key]++;
      }
    }
    // 100 each on average, with a deviation of about 10
    assertThat(Arrays.stream(taken).min().orElseThrow()).isGreaterThan(50);
    assertThat(Arrays.stream(taken).max().orElseThrow()).isLessThan(150);
  }

  @Test
  void rangeBoundsFollowTheWeights() {
    List<RangePartitioner.WeightedKey<Integer>> sample =
        IntStream.rangeClosed(1, 100)
            .mapToObj(i -> new RangePartitioner.WeightedKey<>(101 - i, 1.0))
            .toList();
    Comparator<Integer> order = Comparator.naturalOrder();
    assertThat(RangePartitioner.bounds(sample, 4, order)).containsExactly(25, 50, 75);
    assertThat(
            RangePartitioner.bounds(
                List.of(
                    new RangePartitioner.WeightedKey<>(1, 90.0),
                    new RangePartitioner.WeightedKey<>(1, 90.0),
                    new RangePartitioner.WeightedKey<>(2, 1.0)),
                3,
                order))
        .containsExactly(1, 2);
    RangePartitioner<Integer> partitioner = new RangePartitioner<>(List.of(25, 50, 75), order);
    assertThat(List.of(-1, 25, 26, 50, 75, 76).stream().map(partitioner::partition))
        .containsExactly(0, 0, 1, 1, 2, 3);
    assertThat(partitioner)
        .isEqualTo(new RangePartitioner<>(List.of(25, 50, 75), order))
        .isNotEqualTo(new RangePartitioner<>(List.of(25, 50, 75), order.reversed()));
  }

  @Test
  void coalescedGroupsDifferByOneAtMost() {
    for (int members = 1; members < 30; members++) {
      for (int groups = 1; groups <= members; groups++) {
        int first = CoalescedRDD.groupStart(0, members, groups);
        int total = members;
        int count = groups;
        DoubleStatistics sizes = new DoubleStatistics();
        IntStream.range(0, groups)
            .forEach(
                g ->
                    sizes.add(
                        CoalescedRDD.groupStart(g + 1, total, count)
                            - CoalescedRDD.groupStart(g, total, count)));
        assertThat(first).isZero();
        assertThat(sizes.sum()).isCloseTo(members, within(1e-9));
        assertThat(sizes.max() - sizes.min()).isLessThanOrEqualTo(1);
      }
    }
  }

  /// An enum's own hash code is another in each process, and a sample is to be the same.
  @Test
  void theRandomStreamOfAnEnumIsThatOfItsName() {
    for (RoundingMode key : RoundingMode.values()) {
      assertThat(Randomness.forKey(7, 3, key).nextLong())
          .isEqualTo(Randomness.forKey(7, 3, key.name()).nextLong());
    }
  }

  @Test
  void hashPartitionerPlacesNullAndNegativeHashes() {
    HashPartitioner partitioner = new HashPartitioner(7);
    assertThat(partitioner.partition(null)).isZero();
    assertThat(partitioner.partition(-1)).isEqualTo(6);
  }
}
