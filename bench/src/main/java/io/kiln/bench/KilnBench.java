package io.kiln.bench;

import io.kiln.api.Broadcast;
import io.kiln.api.HashPartitioner;
import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import io.kiln.bench.work.BenchArguments;
import io.kiln.bench.work.IdleProcess;
import io.kiln.bench.work.PairSource;
import io.kiln.bench.work.SortedRun;
import io.kiln.bench.work.Stopwatch;
import io.kiln.bench.work.Words;
import io.kiln.bench.work.Workload;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Runs one workload on Kiln: `KilnBench WORKLOAD [options]`.
public final class KilnBench {
  /// How the figures name the engine: there are several set-ups of it.
  private static final String ENGINE = System.getProperty("kiln.bench.engine", "kiln");

  private final KilnContext context;
  private final BenchArguments arguments;
  private final Stopwatch stopwatch;

  private KilnBench(KilnContext context, BenchArguments arguments, Stopwatch stopwatch) {
    this.context = context;
    this.arguments = arguments;
    this.stopwatch = stopwatch;
  }

  public static void main(String[] words) throws Exception {
    BenchArguments arguments = BenchArguments.parse(words);
    Stopwatch stopwatch = new Stopwatch(ENGINE, arguments, System.out);
    KilnConf conf = new KilnConf().setMaster(arguments.master()).setAppName("bench");
    try (KilnContext context = KilnContext.create(conf)) {
      new KilnBench(context, arguments, stopwatch).run();
    }
  }

  private void run() throws Exception {
    switch (arguments.workload()) {
      case TASKS -> stopwatch.measure(() -> emptyTasks(arguments.size()));
      case LATENCY, STEADY -> stopwatch.measureEach(() -> emptyTasks(2));
      case WORDCOUNT -> {
        stopwatch.measure(() -> wordCounts().count());
        if (arguments.verify()) {
          stopwatch.verified("words=" + wordCounts().values().reduce(Long::sum));
        }
      }
      case SORT -> {
        stopwatch.measure(() -> sortedPairs().count());
        if (arguments.verify()) {
          stopwatch.verified(SortedRun.describe(runsOf(sortedPairs())));
        }
      }
      case SUMBYKEY -> {
        stopwatch.measure(() -> sumsByKey().count());
        if (arguments.verify()) {
          stopwatch.verified("sum=" + sumsByKey().values().reduce(Long::sum));
        }
      }
      case BROADCAST -> {
        byte[] bytes = new byte[arguments.size()];
        new Random(1).nextBytes(bytes);
        stopwatch.measure(() -> broadcast(bytes));
      }
      case SEGMENTS -> stopwatch.measure(() -> segments().count());
      case IDLE -> IdleProcess.report(stopwatch);
    }
  }

  private int emptyTasks(int tasks) {
    context.parallelize(List.<Integer>of(), tasks).foreachPartition(records -> {});
    return tasks;
  }

  private PairRDD<String, Long> wordCounts() {
    return context
        .textFile(arguments.input())
        .flatMap(line -> Arrays.asList(Words.of(line)).iterator())
        .mapToPair(word -> new Pair<>(word, 1L))
        .reduceByKey(Long::sum);
  }

  private PairRDD<Long, Long> sortedPairs() {
    int count = arguments.sizePerPartition();
    return partitionNumbers(numbers -> longPairs(numbers.next(), count)).sortByKey();
  }

  private PairRDD<Integer, Long> sumsByKey() {
    int count = arguments.sizePerPartition();
    return partitionNumbers(numbers -> intPairs(numbers.next(), count)).reduceByKey(Long::sum);
  }

  /// Tells something of every part of the bytes.
  private long broadcast(byte[] bytes) {
    Broadcast<byte[]> sent = context.broadcast(bytes);
    long sum =
        numbers(Workload.BROADCAST_TASKS).map(number -> sampleSum(sent.value())).reduce(Long::sum);
    sent.destroy();
    return sum;
  }

  private static long sampleSum(byte[] bytes) {
    long sum = 0;
    for (int i = 0; i < bytes.length; i += 1 << 12) {
      sum += bytes[i];
    }
    return sum;
  }

  private PairRDD<Long, Long> segments() {
    int count = arguments.size() / Workload.SEGMENTS_EACH_WAY;
    return numbers(Workload.SEGMENTS_EACH_WAY)
        .mapPartitionsToPair(numbers -> longPairs(numbers.next(), count))
        .partitionBy(new HashPartitioner(Workload.SEGMENTS_EACH_WAY));
  }

  private <K> PairRDD<K, Long> partitionNumbers(PairMaker<K> maker) {
    return numbers(arguments.partitions()).mapPartitionsToPair(maker::pairs);
  }

  /// From 0, each in a partition of its own.
  private RDD<Integer> numbers(int count) {
    return context.parallelize(IntStream.range(0, count).boxed().toList(), count);
  }

  private static List<SortedRun> runsOf(PairRDD<Long, Long> pairs) {
    return pairs
        .mapPartitions(records -> List.of(SortedRun.of(records, Pair::key, Pair::value)).iterator())
        .collect();
  }

  private static Iterator<Pair<Long, Long>> longPairs(int partition, int count) {
    return pairs(
        PairSource.ofLongKeys(partition, count),
        source -> new Pair<>(source.key(), source.value()));
  }

  private static Iterator<Pair<Integer, Long>> intPairs(int partition, int count) {
    return pairs(
        PairSource.ofKeysBelow(Workload.DISTINCT_KEYS, partition, count),
        source -> new Pair<>(source.intKey(), source.value()));
  }

  private static <K> Iterator<Pair<K, Long>> pairs(
      PairSource source, Function<PairSource, Pair<K, Long>> pairOf) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return source.hasNext();
      }

      @Override
      public Pair<K, Long> next() {
        source.advance();
        return pairOf.apply(source);
      }
    };
  }

  /// Makes one partition's pairs from the partition's number.
  @FunctionalInterface
  private interface PairMaker<K> extends Serializable {
    Iterator<Pair<K, Long>> pairs(Iterator<Integer> numbers);
  }
}
