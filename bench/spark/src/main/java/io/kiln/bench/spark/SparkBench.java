package io.kiln.bench.spark;

import io.kiln.bench.work.BenchArguments;
import io.kiln.bench.work.IdleProcess;
import io.kiln.bench.work.PairSource;
import io.kiln.bench.work.SortedRun;
import io.kiln.bench.work.Stopwatch;
import io.kiln.bench.work.Words;
import io.kiln.bench.work.Workload;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import scala.Tuple2;

/// Runs one workload on Apache Spark: `SparkBench WORKLOAD [options]`.
public final class SparkBench {
  private static final String ENGINE = "spark";

  private final JavaSparkContext context;
  private final BenchArguments arguments;
  private final Stopwatch stopwatch;

  private SparkBench(JavaSparkContext context, BenchArguments arguments, Stopwatch stopwatch) {
    this.context = context;
    this.arguments = arguments;
    this.stopwatch = stopwatch;
  }

  public static void main(String[] words) throws Exception {
    BenchArguments arguments = BenchArguments.parse(words);
    Stopwatch stopwatch = new Stopwatch(ENGINE, arguments, System.out);
    SparkConf conf = new SparkConf().setMaster(arguments.master()).setAppName("bench");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      context.setLogLevel("WARN");
      new SparkBench(context, arguments, stopwatch).run();
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

  private JavaPairRDD<String, Long> wordCounts() {
    return context
        .textFile(arguments.input())
        .flatMap(line -> Arrays.asList(Words.of(line)).iterator())
        .mapToPair(word -> new Tuple2<>(word, 1L))
        .reduceByKey(Long::sum);
  }

  private JavaPairRDD<Long, Long> sortedPairs() {
    int count = arguments.sizePerPartition();
    return partitionNumbers(numbers -> longPairs(numbers.next(), count)).sortByKey();
  }

  private JavaPairRDD<Integer, Long> sumsByKey() {
    int count = arguments.sizePerPartition();
    return partitionNumbers(numbers -> intPairs(numbers.next(), count)).reduceByKey(Long::sum);
  }

  /// Tells something of every part of the bytes.
  private long broadcast(byte[] bytes) {
    Broadcast<byte[]> sent = context.broadcast(bytes);
    long sum =
        numbers(Workload.BROADCAST_TASKS)
            .map(number -> sampleSum(sent.value()))
            .reduce(Long::sum);
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

  private JavaPairRDD<Long, Long> segments() {
    int count = arguments.size() / Workload.SEGMENTS_EACH_WAY;
    return numbers(Workload.SEGMENTS_EACH_WAY)
        .mapPartitionsToPair(numbers -> longPairs(numbers.next(), count))
        .partitionBy(new HashPartitioner(Workload.SEGMENTS_EACH_WAY));
  }

  private <K> JavaPairRDD<K, Long> partitionNumbers(PairMaker<K> maker) {
    return numbers(arguments.partitions()).mapPartitionsToPair(maker::pairs);
  }

  /// From 0, each in a partition of its own.
  private JavaRDD<Integer> numbers(int count) {
    return context.parallelize(IntStream.range(0, count).boxed().toList(), count);
  }

  private static List<SortedRun> runsOf(JavaPairRDD<Long, Long> pairs) {
    return pairs
        .mapPartitions(records -> List.of(SortedRun.of(records, Tuple2::_1, Tuple2::_2)).iterator())
        .collect();
  }

  private static Iterator<Tuple2<Long, Long>> longPairs(int partition, int count) {
    return pairs(
        PairSource.ofLongKeys(partition, count),
        source -> new Tuple2<>(source.key(), source.value()));
  }

  private static Iterator<Tuple2<Integer, Long>> intPairs(int partition, int count) {
    return pairs(
        PairSource.ofKeysBelow(Workload.DISTINCT_KEYS, partition, count),
        source -> new Tuple2<>(source.intKey(), source.value()));
  }

  private static <K> Iterator<Tuple2<K, Long>> pairs(
      PairSource source, Function<PairSource, Tuple2<K, Long>> pairOf) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return source.hasNext();
      }

      @Override
      public Tuple2<K, Long> next() {
        source.advance();
        return pairOf.apply(source);
      }
    };
  }

  /// Makes one partition's pairs from the partition's number.
  @FunctionalInterface
  private interface PairMaker<K> extends java.io.Serializable {
    Iterator<Tuple2<K, Long>> pairs(Iterator<Integer> numbers);
  }
}
