package io.kiln.api;

import java.util.function.Consumer;

/// A result that was estimated when the time was up. The job goes on and computes the exact result.
///
/// Thread-safe.
public final class PartialResult<R> {
  private final R initialValue;
  private final boolean initialIsFinal;
  private final JobFuture<R> future;

  PartialResult(R initialValue, boolean initialIsFinal, JobFuture<R> future) {
    this.initialValue = initialValue;
    this.initialIsFinal = initialIsFinal;
    this.future = future;
  }

  /// Returns the estimate, or the exact value if the job had ended before the time was up.
  public R initialValue() {
    return initialValue;
  }

  /// Returns whether the initial value is exact.
  public boolean isInitialValueFinal() {
    return initialIsFinal;
  }

  /// Waits for the end of the job, and returns the exact value.
  ///
  /// @throws KilnException if the job failed
  public R finalValue() {
    return future.await();
  }

  /// Calls `action` with the exact value when it is there. If the job fails, `action` is never
  /// called.
  public void onComplete(Consumer<? super R> action) {
    future.onComplete(
        (value, failure) -> {
          if (failure == null) {
            action.accept(value);
          }
        });
  }

  /// Returns the job, which you can wait for or cancel.
  public JobFuture<R> future() {
    return future;
  }

  @Override
  public String toString() {
    return initialIsFinal ? "(final: " + initialValue + ")" : "(partial: " + initialValue + ")";
  }
}
