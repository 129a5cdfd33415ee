package io.kiln.api;

import io.kiln.api.spi.Engine;
import io.kiln.api.spi.EngineLocator;
import io.kiln.api.spi.EngineProvider;
import io.kiln.api.spi.PartitionFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// An application's connection to the engine: makes RDDs, broadcasts and accumulators, and runs
/// jobs.
///
/// Thread-safe; jobs may be submitted from several threads. One context at a time in a JVM is
/// usual, several are allowed.
public final class KilnContext implements AutoCloseable {
  private final KilnConf conf;
  private final Engine engine;

  @SuppressWarnings("ThreadLocalUsage") // one a context: two contexts don't share properties
  private final InheritableThreadLocal<Map<String, String>> localProperties =
      new InheritableThreadLocal<>() {
        @Override
        protected Map<String, String> initialValue() {
          return Map.of();
        }
      };

  /// @throws KilnException if a setting doesn't parse or the master can't be used
  public static KilnContext create(KilnConf conf) {
    return new KilnContext(conf.copy());
  }

  private KilnContext(KilnConf conf) {
    this.conf = conf;
    this.engine = EngineLocator.load(EngineProvider.class).start(this);
  }

  /// A copy.
  public KilnConf conf() {
    return conf.copy();
  }

  /// For RDDs and the engine.
  public Engine engine() {
    return engine;
  }

  /// This thread's, which the jobs that it submits carry to their tasks; unmodifiable.
  public Map<String, String> localProperties() {
    return localProperties.get();
  }

  /// @param value `null` removes the property
  public void setLocalProperty(String key, String value) {
    Map<String, String> changed = new HashMap<>(localProperties.get());
    if (value == null) {
      changed.remove(key);
    } else {
      changed.put(key, value);
    }
    localProperties.set(Collections.unmodifiableMap(changed));
  }

  /// Runs `function` on every partition.
  ///
  /// @return the results, by partition
  public <T, R> List<R> runJob(RDD<T> rdd, PartitionFunction<T, ? extends R> function) {
    return runJob(rdd, function, IntStream.range(0, rdd.numPartitions()).toArray());
  }

  /// Runs `function` on some partitions.
  ///
  /// @return the results, in the order of `partitions`
  public <T, R> List<R> runJob(
      RDD<T> rdd, PartitionFunction<T, ? extends R> function, int[] partitions) {
    Object[] results = new Object[partitions.length];
    try {
      engine
          .submitJob(rdd, function, partitions, (index, result) -> results[index] = result)
          .await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KilnException(
          "JOB_CANCELLED",
          KilnException.Kind.USER,
          "the job was cancelled: its thread was interrupted",
          e);
    }
    @SuppressWarnings("unchecked") // the function made them
    List<R> typed = (List<R>) new ArrayList<>(Arrays.asList(results));
    return typed;
  }

  @Override
  public void close() {
    engine.close();
  }
}
