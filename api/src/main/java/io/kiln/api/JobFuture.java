package io.kiln.api;

import io.kiln.api.spi.SubmittedJob;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

/// The result of an action that runs in the background. Cancelling it cancels its jobs.
///
/// Thread-safe. If a job fails, [#get] throws an [ExecutionException] whose cause is the
/// [KilnException].
public final class JobFuture<T> implements Future<T> {
  /// The future for which the current thread runs jobs.
  private static final ScopedValue<JobFuture<?>> OWNER = ScopedValue.newInstance();

  private final CompletableFuture<T> result = new CompletableFuture<>();
  private final List<SubmittedJob> jobs = new ArrayList<>();

  JobFuture() {}

  /// Tells the future, if the current thread works for one, of a job that was just submitted.
  static void jobSubmitted(SubmittedJob job) {
    if (OWNER.isBound()) {
      OWNER.get().submitted(job);
    }
  }

  void submitted(SubmittedJob job) {
    synchronized (jobs) {
      jobs.add(job);
    }
    if (isCancelled()) {
      job.cancel("its future was cancelled");
    }
  }

  /// Runs `body` on a thread of its own; the jobs that it submits belong to this future.
  JobFuture<T> run(Callable<? extends T> body) {
    Thread.ofVirtual()
        .name("kiln-job-future")
        .start(
            () -> {
              try {
                T value = ScopedValue.where(OWNER, this).call(body::call);
                result.complete(value);
              } catch (Throwable e) { // whatever it is, the one who waits must hear of it
                result.completeExceptionally(e);
              }
            });
    return this;
  }

  /// Returns the ids of the jobs that were submitted so far, in order.
  public List<Integer> jobIds() {
    synchronized (jobs) {
      return jobs.stream().map(SubmittedJob::jobId).toList();
    }
  }

  /// Calls `action` when the future is done, or at once if it is done already. The action gets the
  /// result and `null`, or `null` and the error. What the action throws goes to its thread's
  /// handler of uncaught exceptions.
  public void onComplete(BiConsumer<? super T, ? super Throwable> action) {
    CompletableFuture<T> _ =
        result.whenComplete(
            (value, failure) -> {
              try {
                action.accept(value, failure);
              } catch (Throwable e) { // nobody would hear of it otherwise
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
              }
            });
  }

  /// Returns a future of the JDK with the same result. Completing or cancelling that one does not
  /// change this one.
  public CompletableFuture<T> toCompletableFuture() {
    return result.copy();
  }

  /// Waits for the result, and fails as the action itself does.
  ///
  /// @throws KilnException if a job failed or was cancelled, or if this thread is interrupted. An
  ///     interrupt cancels the jobs
  public T await() {
    try {
      return result.get();
    } catch (InterruptedException e) {
      cancel(true);
      Thread.currentThread().interrupt();
      throw KilnContext.interrupted(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw Unchecked.sneak(cause);
      }
      throw new CompletionException(e.getCause());
    } catch (CancellationException e) {
      throw new KilnException(
          "JOB_CANCELLED", KilnException.Kind.USER, "the job was cancelled by its future", e);
    }
  }

  /// Nobody needs the jobs' end any more, though they go on.
  void dispense() {
    synchronized (jobs) {
      jobs.forEach(SubmittedJob::dispense);
    }
  }

  /// Cancels the jobs that run.
  ///
  /// @param mayInterruptIfRunning has no effect, as tasks are told either way
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = result.cancel(mayInterruptIfRunning);
    if (cancelled) {
      List<SubmittedJob> running;
      synchronized (jobs) {
        running = List.copyOf(jobs);
      }
      running.forEach(job -> job.cancel("its future was cancelled"));
    }
    return cancelled;
  }

  @Override
  public boolean isCancelled() {
    return result.isCancelled();
  }

  @Override
  public boolean isDone() {
    return result.isDone();
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    return result.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    return result.get(timeout, unit);
  }
}
