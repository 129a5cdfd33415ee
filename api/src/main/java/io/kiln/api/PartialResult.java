package io.kiln.api;

import java.util.function.Consumer;

/// A result that was estimated when the time was up, while the job goes on to the exact one.
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

  /// What was known when the time was up, or the exact value if the job had ended by then.
  public R initialValue() {
    return initialValue;
  }

  /// Whether the initial value is exact.
  public boolean isInitialValueFinal() {
    return initialIsFinal;
  }

  /// Waits for the end of the job.
  ///
  /// @throws KilnException if it failed
  public R finalValue() {
    return future.await();
  }

  /// Calls `action` with the exact value when it is there; never if the job fails.
  public void onComplete(Consumer<? super R> action) {
    future.onComplete(
        (value, failure) -> {
          if (failure == null) {
            action.accept(value);
          }
        });
  }

  /// The job, to be waited for or cancelled.
  public JobFuture<R> future() {
    return future;
  }

  @Override
  public String toString() {
    return initialIsFinal ? "(final: " + initialValue + ")" : "(partial: " + initialValue + ")";
  }
}
