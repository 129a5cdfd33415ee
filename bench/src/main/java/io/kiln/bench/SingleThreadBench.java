package io.kiln.bench;

import io.kiln.bench.work.BenchArguments;
import io.kiln.bench.work.Stopwatch;
import java.nio.file.Path;

/// The data workloads as one good thread does them without an engine: `SingleThreadBench
/// WORKLOAD [options]`. The data, the types of keys and values and the checks are those of
/// the engines.
public final class SingleThreadBench {
  private static final String ENGINE = "single-thread";

  private SingleThreadBench() {}

  public static void main(String[] words) throws Exception {
    BenchArguments arguments = BenchArguments.parse(words);
    Stopwatch stopwatch = new Stopwatch(ENGINE, arguments, System.out);
    switch (arguments.workload()) {
      case WORDCOUNT -> {
        Path text = Path.of(arguments.input());
        stopwatch.measure(() -> SingleThreadWordCount.of(text).distinct());
        if (arguments.verify()) {
          stopwatch.verified("words=" + SingleThreadWordCount.of(text).total());
        }
      }
      case SORT -> {
        stopwatch.measure(() -> SingleThreadSort.of(arguments).count());
        if (arguments.verify()) {
          stopwatch.verified(SingleThreadSort.of(arguments).description());
        }
      }
      case SUMBYKEY -> {
        stopwatch.measure(() -> SingleThreadSumByKey.of(arguments).distinct());
        if (arguments.verify()) {
          stopwatch.verified("sum=" + SingleThreadSumByKey.of(arguments).total());
        }
      }
      case TASKS, LATENCY, STEADY, BROADCAST, SEGMENTS, IDLE ->
          throw new IllegalArgumentException(
              "'" + arguments.workload().label() + "' measures an engine; one thread has none");
    }
  }
}
