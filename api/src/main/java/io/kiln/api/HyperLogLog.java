package io.kiln.api;

import io.kiln.api.spi.KeyHash;
import java.io.Serializable;

/// Estimates how many different values were added. While they are few, their hashes are kept and
/// counted exactly; then registers hold the longest runs of zeros in the hashes (Flajolet et al.
/// 2007), with the estimator that needs no correction tables (Ertl 2017, "New cardinality
/// estimation algorithms for HyperLogLog sketches", algorithm 6).
///
/// Not thread-safe.
final class HyperLogLog implements Serializable {
  private static final int MIN_PRECISION = 4;
  private static final int MAX_PRECISION = 24;
  private static final int FIRST_HASHES = 8;
  /// Instead of 0, which marks a free place.
  private static final long HASH_OF_ZERO = 0x9e3779b97f4a7c15L;

  private final int precision;
  private int kept;

  /// A hash table with linear probing; `null` once there are registers.
  private long[] hashes = new long[FIRST_HASHES];

  /// `null` while hashes are kept.
  private byte[] registers;

  /// @param precision the binary logarithm of the number of registers, a byte each
  HyperLogLog(int precision) {
    this.precision = precision;
  }

  /// The standard deviation is about `1.04 / sqrt(registers)`.
  static int precisionFor(double relativeDeviation) {
    int precision = (int) Math.ceil(2 * Math.log(1.04 / relativeDeviation) / Math.log(2));
    if (!(relativeDeviation > 0) || precision > MAX_PRECISION) {
      throw new KilnException(
          "DEVIATION_TOO_SMALL",
          KilnException.Kind.USER,
          "distinct values can't be counted with a relative deviation of %s; give at least 0.0003"
              .formatted(relativeDeviation));
    }
    return Math.max(MIN_PRECISION, precision);
  }

  HyperLogLog add(Object value) {
    addHash(hash(value));
    return this;
  }

  private void addHash(long hash) {
    if (registers != null) {
      register(hash);
    } else if (keep(hash == 0 ? HASH_OF_ZERO : hash)) {
      kept++;
      // Beyond half as many as registers the estimate is as good as it is for many.
      if (kept > (1 << precision) / 2) {
        makeRegisters();
      } else if (2 * kept > hashes.length) {
        grow();
      }
    }
  }

  /// @return whether it is new
  private boolean keep(long hash) {
    int mask = hashes.length - 1;
    int at = (int) (hash & mask);
    while (hashes[at] != 0) {
      if (hashes[at] == hash) {
        return false;
      }
      at = (at + 1) & mask;
    }
    hashes[at] = hash;
    return true;
  }

  private void grow() {
    long[] old = hashes;
    hashes = new long[2 * old.length];
    for (long hash : old) {
      if (hash != 0) {
        boolean _ = keep(hash);
      }
    }
  }

  private void makeRegisters() {
    registers = new byte[1 << precision];
    for (long hash : hashes) {
      if (hash != 0) {
        register(hash);
      }
    }
    hashes = null;
  }

  private void register(long hash) {
    int register = (int) (hash >>> (64 - precision));
    // The bit below the hash bounds the run.
    int run = Long.numberOfLeadingZeros((hash << precision) | (1L << (precision - 1))) + 1;
    if (run > registers[register]) {
      registers[register] = (byte) run;
    }
  }

  HyperLogLog merge(HyperLogLog other) {
    if (other.registers == null) {
      for (long hash : other.hashes) {
        if (hash != 0) {
          addHash(hash);
        }
      }
      return this;
    }
    if (registers == null) {
      makeRegisters();
    }
    for (int i = 0; i < registers.length; i++) {
      if (other.registers[i] > registers[i]) {
        registers[i] = other.registers[i];
      }
    }
    return this;
  }

  long estimate() {
    return registers == null ? kept : estimateOfRegisters();
  }

  private long estimateOfRegisters() {
    int longest = 64 - precision + 1;
    int[] registersWithRun = new int[longest + 1];
    for (byte run : registers) {
      registersWithRun[run]++;
    }
    double count = registers.length;
    double sum = count * tau(1 - registersWithRun[longest] / count);
    for (int run = longest - 1; run >= 1; run--) {
      sum = 0.5 * (sum + registersWithRun[run]);
    }
    sum += count * sigma(registersWithRun[0] / count);
    return Math.round(count * count / (2 * Math.log(2)) / sum);
  }

  private static double sigma(double start) {
    if (start == 1) {
      return Double.POSITIVE_INFINITY;
    }
    double x = start;
    double factor = 1;
    double sum = start;
    double previous;
    do {
      x *= x;
      previous = sum;
      sum += x * factor;
      factor += factor;
    } while (sum != previous);
    return sum;
  }

  private static double tau(double start) {
    if (start == 0 || start == 1) {
      return 0;
    }
    double x = start;
    double factor = 1;
    double sum = 1 - start;
    double previous;
    do {
      x = Math.sqrt(x);
      previous = sum;
      factor *= 0.5;
      sum -= (1 - x) * (1 - x) * factor;
    } while (sum != previous);
    return sum / 3;
  }

  /// 64 bits of all that tells values apart, where the type is known; else spread from `hashCode`,
  /// whose collisions then count as equal values.
  private static long hash(Object value) {
    return Randomness.mix(
        switch (value) {
          case null -> 0;
          case Long number -> number;
          case Integer number -> number;
          case Double number -> Double.doubleToLongBits(number);
          case String text -> hash(text);
          case Pair<?, ?> pair -> hash(pair.key()) * 31 + hash(pair.value());
          default -> KeyHash.of(value);
        });
  }

  private static long hash(String text) {
    long hash = text.length();
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x9fb21c651e98df25L;
      hash ^= hash >>> 35;
    }
    return hash;
  }
}
