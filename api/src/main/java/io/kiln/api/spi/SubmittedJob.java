package io.kiln.api.spi;

/// A job under way.
public interface SubmittedJob {

  int jobId();

  /// Hands results to the handler, on this thread, until the job has ended. To be called once.
  ///
  /// @throws io.kiln.api.KilnException if the job failed or was cancelled
  /// @throws InterruptedException if this thread was interrupted; the job is cancelled
  void await() throws InterruptedException;

  void cancel(String reason);

  /// Nobody needs the job's end any more: it goes on, and closing the context while it runs loses
  /// nothing.
  default void dispense() {}
}
