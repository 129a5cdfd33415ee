package io.kiln.daemon.web;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// What a machine has said of its state, for all who ask within a moment: however many look, the
/// machine is asked once in that time. Thread-safe.
///
/// @param <T> what it says
public final class Snapshot<T> {
  private final Supplier<CompletableFuture<T>> source;
  private final long lifeNanos;
  private final LongSupplier nanoTime;

  // guarded by this
  private Optional<CompletableFuture<T>> last = Optional.empty();
  private long askedNanos;

  /// @param life of one answer
  /// @param nanoTime the clock
  public Snapshot(Supplier<CompletableFuture<T>> source, Duration life, LongSupplier nanoTime) {
    this.source = source;
    this.lifeNanos = life.toNanos();
    this.nanoTime = nanoTime;
  }

  /// One that fails is asked for again at once.
  public synchronized CompletableFuture<T> get() {
    long now = nanoTime.getAsLong();
    if (last.isEmpty()
        || last.get().isCompletedExceptionally()
        || (last.get().isDone() && now - askedNanos > lifeNanos)) {
      askedNanos = now;
      last = Optional.of(source.get());
    }
    return last.get().copy();
  }
}
