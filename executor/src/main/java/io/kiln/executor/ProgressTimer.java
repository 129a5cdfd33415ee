package io.kiln.executor;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells at intervals how far tasks are, while somebody wants to know. Thread-safe.
///
/// It has a daemon thread of its own: to look at a task's accumulators, the user's code is called,
/// and nothing else may wait for that.
final class ProgressTimer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProgressTimer.class);

  private final Duration interval;
  private final Runnable tell;

  // guarded by this
  private Thread thread;
  private boolean closed;

  ProgressTimer(Duration interval, Runnable tell) {
    this.interval = interval;
    this.tell = tell;
  }

  /// Idempotent.
  synchronized void start() {
    if (thread == null && !closed) {
      thread = Thread.ofPlatform().daemon().name("kiln-executor-progress").start(this::run);
    }
  }

  /// Idempotent.
  synchronized void stop() {
    Thread running = thread;
    thread = null;
    LockSupport.unpark(running);
  }

  private synchronized boolean isOn() {
    return thread == Thread.currentThread();
  }

  @SuppressWarnings("CatchingUnchecked") // whatever a user's accumulator throws
  private void run() {
    long due = System.nanoTime() + interval.toNanos();
    while (isOn()) {
      long wait = due - System.nanoTime();
      if (wait > 0) {
        LockSupport.parkNanos(this, wait);
        continue;
      }
      due += Math.max(interval.toNanos(), -wait);
      try {
        tell.run();
      } catch (Throwable e) { // the next time may be better
        LOG.warn("How far the tasks are can't be told", e);
      }
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    stop();
  }
}
