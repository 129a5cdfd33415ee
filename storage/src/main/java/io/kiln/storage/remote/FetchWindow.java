package io.kiln.storage.remote;

import io.kiln.storage.memory.TaskMemory;
import java.util.ArrayDeque;
import java.util.Optional;

/// What has come for a task and waits to be read, between the threads that fetch and the task's.
/// Thread-safe. Bounded: those who fetch wait while what is here, or on its way here, has the
/// limit.
final class FetchWindow {
  private static final long CHECK_MILLIS = 100;

  private final long limitBytes;

  // guarded by this
  private final ArrayDeque<FetchedRun> ready = new ArrayDeque<>();
  private long usedBytes;
  private int fetching;
  private Throwable failure;

  FetchWindow(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /// So many threads will fetch.
  synchronized void beginFetching(int threads) {
    fetching = threads;
  }

  /// Waits for room. What is larger than the limit gets it when there is nothing else.
  synchronized void reserve(long bytes) throws InterruptedException {
    while (usedBytes > 0 && usedBytes + bytes > limitBytes) {
      wait();
    }
    usedBytes += bytes;
  }

  synchronized void release(long bytes) {
    usedBytes -= bytes;
    notifyAll();
  }

  synchronized void add(FetchedRun run) {
    ready.add(run);
    notifyAll();
  }

  /// One of the threads that fetch has done its part.
  synchronized void fetcherEnded() {
    fetching--;
    notifyAll();
  }

  /// The first counts.
  synchronized void fail(Throwable why) {
    if (failure == null) {
      failure = why;
      notifyAll();
    }
  }

  /// Waits for the next run.
  ///
  /// @return empty if all was fetched and taken
  /// @throws RuntimeException why not all can be fetched, or that the task was killed
  /// @throws Error likewise
  synchronized Optional<FetchedRun> take(TaskMemory task) throws InterruptedException {
    while (ready.isEmpty()) {
      if (failure != null) {
        throw asUnchecked(failure);
      }
      if (fetching == 0) {
        return Optional.empty();
      }
      task.throwIfCancelled();
      wait(CHECK_MILLIS);
    }
    return Optional.of(ready.remove());
  }

  private static RuntimeException asUnchecked(Throwable failure) {
    return switch (failure) {
      case RuntimeException unchecked -> unchecked;
      case Error error -> throw error;
      default -> new IllegalStateException(failure);
    };
  }
}
