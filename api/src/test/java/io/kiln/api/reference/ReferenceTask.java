package io.kiln.api.reference;

import io.kiln.api.Aggregator;
import io.kiln.api.Pair;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.Records;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.TaskContext;
import io.kiln.api.accumulator.Accumulator;
import io.kiln.api.spi.CombiningMap;
import io.kiln.api.spi.TaskRuntime;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// A task of the reference engine, on the current thread from its making to its closing.
final class ReferenceTask extends TaskContext implements TaskRuntime, AutoCloseable {
  private final ReferenceEngine engine;
  private final int partition;
  private final long id;
  private final Map<String, String> properties;
  private final Deque<Runnable> completions = new ArrayDeque<>();
  private final List<Accumulator<?, ?>> accumulators = new ArrayList<>();

  ReferenceTask(ReferenceEngine engine, int partition, long id, Map<String, String> properties) {
    this.engine = engine;
    this.partition = partition;
    this.id = id;
    this.properties = properties;
    setCurrent(this);
  }

  void succeeded() {
    accumulators.forEach(engine::merge);
  }

  @Override
  public void close() {
    completions.forEach(Runnable::run);
    accumulators.forEach(Accumulator::taskEnded);
    setCurrent(null);
  }

  @Override
  public <T> Records<T> persisted(RDD<T> rdd, Partition split) throws Exception {
    List<Integer> key = List.of(rdd.id(), split.index());
    List<Object> stored = engine.blocks.get(key);
    if (stored == null) {
      List<Object> computed = new ArrayList<>();
      rdd.computedRecords(split, this).forEach(computed::add);
      engine.blocks.put(key, computed);
      stored = computed;
    }
    @SuppressWarnings("unchecked") // this RDD's own
    List<T> records = (List<T>) stored;
    return records::iterator;
  }

  @Override
  @SuppressWarnings("unchecked") // what this shuffle wrote
  public <K, C> Records<Pair<K, C>> readShuffle(
      ShuffleDependency<K, ?, C> shuffle, int first, int end) throws Exception {
    ShuffleDependency<K, Object, C> typed = (ShuffleDependency<K, Object, C>) shuffle;
    List<Pair<K, C>> plain = new ArrayList<>();
    ReferenceCombiningMap<K, Object, C> map =
        typed.aggregator().map(a -> new ReferenceCombiningMap<K, Object, C>(a)).orElse(null);
    for (List<List<Pair<Object, Object>>> reduces : engine.shuffles.get(shuffle.shuffleId())) {
      for (int reduce = first; reduce < end; reduce++) {
        List<Pair<Object, Object>> copy = JavaBytes.read(JavaBytes.write(reduces.get(reduce)));
        for (Pair<Object, Object> pair : copy) {
          if (map == null) {
            plain.add(Pair.of((K) pair.key(), (C) pair.value()));
          } else if (shuffle.mapSideCombine()) {
            map.join((K) pair.key(), (C) pair.value());
          } else {
            map.insert((K) pair.key(), pair.value());
          }
        }
      }
    }
    if (map != null) {
      map.results().forEach(plain::add);
    }
    shuffle.keyOrder().ifPresent(order -> plain.sort((a, b) -> order.compare(a.key(), b.key())));
    return plain::iterator;
  }

  @Override
  public <K, V, C> CombiningMap<K, V, C> combiningMap(Aggregator<V, C> aggregator) {
    return new ReferenceCombiningMap<>(aggregator);
  }

  @Override
  public Path filesDirectory() {
    return Path.of("files");
  }

  @Override
  public void accumulatorArrived(Accumulator<?, ?> accumulator) {
    accumulators.add(accumulator);
  }

  @Override
  public Optional<Accumulator<?, ?>> accumulator(long accumulatorId) {
    for (Accumulator<?, ?> arrived : accumulators) {
      if (arrived.id() == accumulatorId) {
        return Optional.of(arrived);
      }
    }
    return Optional.empty();
  }

  @Override
  public int stageId() {
    return 0;
  }

  @Override
  public int stageAttemptNumber() {
    return 0;
  }

  @Override
  public int partitionId() {
    return partition;
  }

  @Override
  public int attemptNumber() {
    return 0;
  }

  @Override
  public long taskAttemptId() {
    return id;
  }

  @Override
  public Optional<String> localProperty(String key) {
    return Optional.ofNullable(properties.get(key));
  }

  @Override
  public boolean isInterrupted() {
    return false;
  }

  @Override
  public void throwIfInterrupted() {}

  @Override
  public void onCompletion(Runnable action) {
    completions.push(action);
  }

  @Override
  public void onFailure(Consumer<Throwable> action) {}

  @Override
  public TaskRuntime runtime() {
    return this;
  }
}
