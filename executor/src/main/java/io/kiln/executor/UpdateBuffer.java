package io.kiln.executor;

import io.kiln.protocol.TaskUpdate;
import io.kiln.protocol.TaskUpdate.Failed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gathers what became of tasks into batches. Thread-safe.
///
/// A batch leaves when it is as long as the queue of waiting tasks, so that new tasks arrive before
/// the slots run dry and the last tasks of a job are reported at once; when it is full; or when a
/// millisecond has passed since the last. A thread of its own sees to the last, so that an update
/// never waits behind a long task; it sleeps while no update waits.
final class UpdateBuffer implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(UpdateBuffer.class);
  private static final int FULL = 512;
  private static final long MAX_WAIT_NANOS = 1_000_000;
  private static final int IDLE_ROUNDS_BEFORE_SLEEP = 50;

  private final Consumer<List<TaskUpdate>> destination;
  private List<TaskUpdate> pending = new ArrayList<>();
  private long lastFlushNanos;
  private Thread flusher;
  private volatile boolean flusherSleeps;
  private volatile boolean closed;

  /// @param destination called by one thread at a time; must not block
  UpdateBuffer(Consumer<List<TaskUpdate>> destination) {
    this.destination = destination;
  }

  /// @param waitingTasks how many tasks wait for a slot
  /// @param nowNanos when the task ended
  synchronized void add(TaskUpdate update, int waitingTasks, long nowNanos) {
    if (closed) {
      return;
    }
    pending.add(update);
    int size = pending.size();
    if (size >= waitingTasks || size >= FULL || nowNanos - lastFlushNanos >= MAX_WAIT_NANOS) {
      flush(nowNanos);
    } else if (size == 1) {
      wakeFlusher();
    }
  }

  // Inside the lock: updates of one task leave in order.
  private void flush(long nowNanos) {
    List<TaskUpdate> batch = pending;
    List<TaskUpdate> following = new ArrayList<>(batch.size() + 1);
    try {
      destination.accept(batch);
    } catch (OutOfMemoryError e) {
      throw e; // nothing is lost: it is tried again
    } catch (RuntimeException | Error e) {
      pending = following; // what is told of other tasks must get through
      LOG.error("What became of {} tasks can't be told", batch.size(), e);
      destination.accept(untold(batch, e));
    }
    lastFlushNanos = nowNanos;
    pending = following;
  }

  private static List<TaskUpdate> untold(List<TaskUpdate> batch, Throwable why) {
    List<TaskUpdate> failed = new ArrayList<>(batch.size());
    for (TaskUpdate update : batch) {
      failed.add(new Failed(update.taskId(), TaskFailures.untold(why)));
    }
    return failed;
  }

  private void wakeFlusher() {
    if (flusher == null) {
      flusher = Thread.ofPlatform().daemon().name("kiln-executor-updates").start(this);
    } else if (flusherSleeps) {
      flusherSleeps = false;
      LockSupport.unpark(flusher);
    }
  }

  @Override
  public void run() {
    int idleRounds = 0;
    while (!closed) {
      LockSupport.parkNanos(this, MAX_WAIT_NANOS);
      if (flushedLate()) {
        idleRounds = 0;
      } else if (++idleRounds >= IDLE_ROUNDS_BEFORE_SLEEP) {
        sleepUntilNeeded();
        idleRounds = 0;
      }
    }
  }

  private boolean flushedLate() {
    try {
      return flushLate(System.nanoTime());
    } catch (OutOfMemoryError e) {
      return true; // tried again: an update that stays here is a job that waits for ever
    } catch (RuntimeException | Error e) {
      LOG.error("What became of tasks can't be told", e);
      return true;
    }
  }

  private synchronized boolean flushLate(long nowNanos) {
    if (pending.isEmpty()) {
      return false;
    }
    if (nowNanos - lastFlushNanos >= MAX_WAIT_NANOS) {
      flush(nowNanos);
    }
    return true;
  }

  private void sleepUntilNeeded() {
    synchronized (this) {
      if (!pending.isEmpty() || closed) {
        return;
      }
      flusherSleeps = true;
    }
    while (flusherSleeps) {
      LockSupport.park(this);
    }
  }

  synchronized void close() {
    closed = true;
    flusherSleeps = false;
    if (flusher != null) {
      LockSupport.unpark(flusher);
    }
  }
}
