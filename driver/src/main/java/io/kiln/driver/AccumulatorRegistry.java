package io.kiln.driver;

import io.kiln.api.accumulator.Accumulator;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// The driver's accumulators, by id, as long as the user holds them. Thread-safe.
final class AccumulatorRegistry {
  private final AtomicLong nextId = new AtomicLong();
  private final Map<Long, WeakReference<Accumulator<?, ?>>> accumulators =
      new ConcurrentHashMap<>();

  void register(Accumulator<?, ?> accumulator, Optional<String> name) {
    accumulator.registered(nextId.getAndIncrement(), name);
    accumulators.put(accumulator.id(), new WeakReference<>(accumulator));
  }

  void forget(long accumulatorId) {
    accumulators.remove(accumulatorId);
  }

  /// Adds what a task's copies hold to those that the user still has.
  void merge(List<Accumulator<?, ?>> updates) {
    for (Accumulator<?, ?> update : updates) {
      WeakReference<Accumulator<?, ?>> reference = accumulators.get(update.id());
      Accumulator<?, ?> original = reference == null ? null : reference.get();
      if (original != null) {
        merge(original, update);
      }
    }
  }

  @SuppressWarnings("unchecked") // the update is a copy of the original
  private static <A, B> void merge(Accumulator<A, B> original, Accumulator<?, ?> update) {
    synchronized (original) {
      original.merge((Accumulator<A, B>) update);
    }
  }
}
