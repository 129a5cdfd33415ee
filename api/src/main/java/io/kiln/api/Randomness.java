package io.kiln.api;

import io.kiln.api.spi.KeyHash;
import java.util.SplittableRandom;

/// Random numbers that depend on a seed and on a partition alone, so that a task that runs again
/// draws the same.
final class Randomness {

  private Randomness() {}

  /// Spreads the bits of a number over all 64: the finaliser of MurmurHash3 with the constants of
  /// David Stafford's variant 13.
  static long mix(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /// The stream of one partition.
  static SplittableRandom forPartition(long seed, int index) {
    return new SplittableRandom(mix(seed ^ mix(index)));
  }

  /// The stream of one key in one partition.
  static SplittableRandom forKey(long seed, int index, Object key) {
    return new SplittableRandom(mix(mix(seed ^ mix(index)) + KeyHash.of(key)));
  }

  /// How often an event occurs whose mean is `mean`.
  static int poisson(SplittableRandom random, double mean) {
    // The product of uniform numbers falls below e^-mean after a Poisson number of factors (Knuth);
    // in parts, so that e^-mean does not vanish.
    double left = mean;
    int events = 0;
    while (left > 0) {
      double part = Math.min(left, 500);
      left -= part;
      double limit = Math.exp(-part);
      double product = random.nextDouble();
      while (product > limit) {
        events++;
        product *= random.nextDouble();
      }
    }
    return events;
  }

  /// How many of `trials` succeed, each with `probability`. Time grows with the result.
  static long binomial(SplittableRandom random, long trials, double probability) {
    if (probability <= 0 || trials <= 0) {
      return 0;
    }
    if (probability >= 1) {
      return trials;
    }
    if (probability > 0.5) {
      return trials - binomial(random, trials, 1 - probability);
    }
    // Jumps from success to success: the gap is geometric.
    double logFailure = Math.log1p(-probability);
    long successes = 0;
    double position = 0;
    while (true) {
      position += Math.floor(Math.log(1 - random.nextDouble()) / logFailure) + 1;
      if (position > trials) {
        return successes;
      }
      successes++;
    }
  }
}
