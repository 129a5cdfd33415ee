package io.kiln.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;

/// Random parts of RDDs. What is drawn depends on the seed, the partition and the records' order
/// alone.
final class Sampling {

  private Sampling() {}

  /// Says how often each record of a partition is taken; asked once a record, in order.
  private interface Draw<T> {
    int times(T value);
  }

  private static KilnException wrong(String message) {
    return new KilnException("SAMPLE_INVALID", KilnException.Kind.USER, message);
  }

  private static void requireFraction(boolean withReplacement, double fraction) {
    if (!(fraction >= 0) || (!withReplacement && fraction > 1) || Double.isInfinite(fraction)) {
      throw wrong(
          "a sample can't have the fraction %s of the records; give %s"
              .formatted(fraction, withReplacement ? "0 or more" : "0 to 1"));
    }
  }

  private static void requireFractions(boolean withReplacement, Map<?, Double> fractions) {
    Arguments.allPresent(
            Arguments.present(fractions, "sampleByKey", "fractions").values(),
            "sampleByKey",
            "fraction")
        .forEach(fraction -> requireFraction(withReplacement, fraction));
  }

  private static KilnException withoutFraction(Object key) {
    return wrong(
        "the key '%s' has no fraction; give one for each key, 0 to leave its pairs out"
            .formatted(key));
  }

  static <T> RDD<T> sample(RDD<T> rdd, boolean withReplacement, double fraction, long seed) {
    requireFraction(withReplacement, fraction);
    return MapPartitionsRDD.ofOrdered(
        rdd,
        (_, index, records) ->
            new DrawnRecords<>(
                records,
                () -> {
                  SplittableRandom random = Randomness.forPartition(seed, index);
                  return withReplacement
                      ? _ -> Randomness.poisson(random, fraction)
                      : bernoulli(random, fraction);
                }),
        true);
  }

  private static <T> Draw<T> bernoulli(SplittableRandom random, double fraction) {
    if (fraction == 0 || fraction == 1) {
      return _ -> (int) fraction;
    }
    double logFailure = Math.log1p(-fraction);
    return new Draw<>() {
      private long toSkip = gap();

      /// How many are left out before the next that is taken: geometric.
      private long gap() {
        return (long) (Math.log(1 - random.nextDouble()) / logFailure);
      }

      @Override
      public int times(T value) {
        if (toSkip-- > 0) {
          return 0;
        }
        toSkip = gap();
        return 1;
      }
    };
  }

  static <T> List<RDD<T>> randomSplit(RDD<T> rdd, double[] weights, long seed) {
    double sum = Arrays.stream(Arguments.present(weights, "randomSplit", "weights")).sum();
    if (!(sum > 0 && sum < Double.POSITIVE_INFINITY)
        || Arrays.stream(weights).anyMatch(weight -> !(weight >= 0))) {
      throw wrong(
          "can't split by the weights %s; give finite numbers from 0, one of them above 0"
              .formatted(Arrays.toString(weights)));
    }
    List<RDD<T>> parts = new ArrayList<>();
    double start = 0;
    for (int i = 0; i < weights.length; i++) {
      double low = start / sum;
      start += weights[i];
      double high = i == weights.length - 1 ? 1 : start / sum;
      parts.add(like(rdd, cell(rdd, low, high, seed)));
    }
    return parts;
  }

  /// The same kind of view.
  @SuppressWarnings({"unchecked", "rawtypes"}) // a PairRDD's records are pairs
  private static <T> RDD<T> like(RDD<T> model, RDD<T> rdd) {
    return model instanceof PairRDD ? (RDD<T>) PairRDD.from((RDD) rdd) : rdd;
  }

  private static <T> RDD<T> cell(RDD<T> rdd, double low, double high, long seed) {
    return MapPartitionsRDD.ofOrdered(
        rdd,
        (_, index, records) ->
            new DrawnRecords<>(
                records,
                () -> {
                  SplittableRandom random = Randomness.forPartition(seed, index);
                  return _ -> {
                    double point = random.nextDouble();
                    return point >= low && point < high ? 1 : 0;
                  };
                }),
        true);
  }

  static <T> List<T> takeSample(RDD<T> rdd, boolean withReplacement, int count, long seed) {
    if (count < 0) {
      throw wrong("can't take " + count + " records; give 0 or more");
    }
    long total = count == 0 ? 0 : rdd.count();
    if (total == 0) {
      return new ArrayList<>();
    }
    Random random = new Random(seed);
    List<T> drawn;
    if (!withReplacement && count >= total) {
      drawn = rdd.collect();
    } else {
      double fraction = fractionFor(count, total, withReplacement);
      do {
        drawn = rdd.sample(withReplacement, fraction, random.nextLong()).collect();
      } while (drawn.size() < count);
    }
    Collections.shuffle(drawn, random);
    return new ArrayList<>(drawn.subList(0, Math.min(count, drawn.size())));
  }

  /// A fraction so large that a sample has `count` records with a probability of 0.9999: with
  /// replacement by the Poisson distribution's deviation, else by Chernoff's bound.
  static double fractionFor(int count, long total, boolean withReplacement) {
    double fraction = (double) count / total;
    if (withReplacement) {
      double deviations = count < 12 ? 9 : 5;
      return fraction + deviations * Math.sqrt(fraction / total);
    }
    double gamma = -Math.log(1e-4) / total;
    return Math.min(1, fraction + gamma + Math.sqrt(gamma * gamma + 2 * gamma * fraction));
  }

  static <K, V> PairRDD<K, V> byKey(
      PairRDD<K, V> pairs, boolean withReplacement, Map<K, Double> fractions, long seed) {
    requireFractions(withReplacement, fractions);
    Map<K, Double> wanted = new HashMap<>(fractions);
    return PairRDD.from(
        MapPartitionsRDD.<Pair<K, V>, Pair<K, V>>ofOrdered(
            pairs,
            (_, index, records) ->
                new DrawnRecords<>(
                    records,
                    () -> {
                      SplittableRandom random = Randomness.forPartition(seed, index);
                      return pair -> {
                        Double fraction = wanted.get(pair.key());
                        if (fraction == null) {
                          throw withoutFraction(pair.key());
                        }
                        return withReplacement
                            ? Randomness.poisson(random, fraction)
                            : random.nextDouble() < fraction ? 1 : 0;
                      };
                    }),
            true));
  }

  /// Counts first, how many pairs each key has in each partition; deals the exact number out to the
  /// partitions; then each partition draws its share as it goes over its records.
  static <K, V> PairRDD<K, V> byKeyExact(
      PairRDD<K, V> pairs, boolean withReplacement, Map<K, Double> fractions, long seed) {
    requireFractions(withReplacement, fractions);
    RDD<K> keys = pairs.keys();
    List<Map<K, Long>> sizes =
        pairs.context().runJob(keys, (_, records) -> Actions.histogram(records));
    for (Map<K, Long> part : sizes) {
      for (K key : part.keySet()) {
        if (!fractions.containsKey(key)) {
          throw withoutFraction(key);
        }
      }
    }
    List<Map<K, Share>> shares = new ArrayList<>();
    sizes.forEach(_ -> shares.add(new HashMap<>()));
    fractions.forEach(
        (key, fraction) -> {
          long[] present = sizes.stream().mapToLong(part -> part.getOrDefault(key, 0L)).toArray();
          long wanted = (long) Math.ceil(fraction * Arrays.stream(present).sum());
          long[] dealt = deal(present, wanted, withReplacement, Randomness.forKey(seed, -1, key));
          for (int i = 0; i < present.length; i++) {
            if (dealt[i] > 0) {
              shares.get(i).put(key, new Share(present[i], dealt[i]));
            }
          }
        });
    return PairRDD.from(
        MapPartitionsRDD.<Pair<K, V>, Pair<K, V>>ofOrdered(
            pairs,
            (_, index, records) ->
                new DrawnRecords<>(
                    records,
                    () -> new ExactDraw<K, V>(shares.get(index), withReplacement, seed, index)),
            true));
  }

  /// How many of a key's pairs in a partition are to be taken.
  private record Share(long present, long taken) implements java.io.Serializable {}

  /// Takes exactly the shares, each choice equally probable.
  private static final class ExactDraw<K, V> implements Draw<Pair<K, V>> {
    private final Map<K, long[]> left = new HashMap<>();
    private final boolean withReplacement;
    private final SplittableRandom random;

    ExactDraw(Map<K, Share> shares, boolean withReplacement, long seed, int index) {
      shares.forEach((key, share) -> left.put(key, new long[] {share.present(), share.taken()}));
      this.withReplacement = withReplacement;
      this.random = Randomness.forPartition(seed, index);
    }

    @Override
    public int times(Pair<K, V> pair) {
      long[] presentAndTaken = left.get(pair.key());
      if (presentAndTaken == null || presentAndTaken[0] == 0) {
        return 0;
      }
      double probability = 1.0 / presentAndTaken[0]--;
      long times =
          withReplacement
              ? Randomness.binomial(random, presentAndTaken[1], probability)
              : random.nextDouble() < presentAndTaken[1] * probability ? 1 : 0;
      presentAndTaken[1] -= times;
      return (int) times;
    }
  }

  /// Deals a number of choices out to groups as a uniform choice among all their members would.
  static long[] deal(long[] groups, long wanted, boolean withReplacement, SplittableRandom random) {
    long total = Arrays.stream(groups).sum();
    long[] dealt = new long[groups.length];
    if (withReplacement) {
      long left = total;
      long toDeal = wanted;
      for (int i = 0; i < groups.length && left > 0; i++) {
        dealt[i] = Randomness.binomial(random, toDeal, (double) groups[i] / left);
        toDeal -= dealt[i];
        left -= groups[i];
      }
      return dealt;
    }
    // Chooses the smaller of those taken and those left out.
    boolean inverted = wanted > total / 2;
    long choices = inverted ? total - wanted : wanted;
    long[] ends = groups.clone();
    Arrays.parallelPrefix(ends, Long::sum);
    for (long position : distinct(choices, total, random)) {
      int found = Arrays.binarySearch(ends, position + 1);
      int group = found < 0 ? -found - 1 : found;
      while (group > 0 && ends[group - 1] > position) {
        group--;
      }
      dealt[group]++;
    }
    for (int i = 0; inverted && i < groups.length; i++) {
      dealt[i] = groups[i] - dealt[i];
    }
    return dealt;
  }

  /// `choices` different numbers below `total`, by Floyd's algorithm.
  private static Set<Long> distinct(long choices, long total, SplittableRandom random) {
    Set<Long> chosen = new HashSet<>();
    for (long last = total - choices; last < total; last++) {
      long candidate = random.nextLong(last + 1);
      chosen.add(chosen.contains(candidate) ? last : candidate);
    }
    return chosen;
  }

  /// Records, each as often as a draw says.
  private record DrawnRecords<T>(Records<T> records, java.util.function.Supplier<Draw<T>> draws)
      implements Records<T> {

    @Override
    public Iterator<T> iterator() throws Exception {
      return new DrawnIterator<>(records.iterator(), draws.get());
    }

    @Override
    public void forEach(Sink<? super T> sink) throws Exception {
      Draw<T> draw = draws.get();
      records.forEach(
          value -> {
            for (int times = draw.times(value); times > 0; times--) {
              if (!sink.accept(value)) {
                return false;
              }
            }
            return true;
          });
    }
  }

  private static final class DrawnIterator<T> implements Iterator<T> {
    private final Iterator<T> records;
    private final Draw<T> draw;
    private T current;
    private int timesLeft;

    DrawnIterator(Iterator<T> records, Draw<T> draw) {
      this.records = records;
      this.draw = draw;
    }

    @Override
    public boolean hasNext() {
      while (timesLeft == 0 && records.hasNext()) {
        current = records.next();
        timesLeft = draw.times(current);
      }
      return timesLeft > 0;
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      timesLeft--;
      return current;
    }
  }
}
