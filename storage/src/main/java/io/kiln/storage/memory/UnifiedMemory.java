package io.kiln.storage.memory;

import io.kiln.api.KilnException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The heap that the engine plans with, shared by execution (tables and sorts of tasks) and storage
/// (blocks). Either may use what the other leaves free.
///
/// Execution may evict stored blocks down to the storage region; storage never takes from
/// execution. With N tasks that hold memory, each may have up to 1/N of what execution can have,
/// and waits until it has 1/2N. The wait ends early when the task is cancelled, and after ten
/// seconds in any case: the holder may itself wait for the waiter, and a task that goes on with
/// less memory spills more but always ends.
///
/// Thread-safe. Blocks are evicted outside the lock.
public final class UnifiedMemory {
  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final long totalBytes;
  private final long storageRegionBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile Evictor evictor = _ -> 0;
  private long executionBytes;
  private long storageBytes;
  private int activeTasks;

  /// Frees stored blocks.
  @FunctionalInterface
  public interface Evictor {
    /// Drops least recently used blocks, to disk if their level says so, and returns their memory
    /// through [#releaseStorage].
    ///
    /// @return how many bytes were freed; may be more or less than asked
    long evict(long bytes);
  }

  /// @param storageFraction of the total, which execution can't take from stored blocks
  public UnifiedMemory(long totalBytes, double storageFraction) {
    this.totalBytes = totalBytes;
    this.storageRegionBytes = (long) (totalBytes * storageFraction);
  }

  /// To be called once, before the first task.
  public void evictBy(Evictor newEvictor) {
    evictor = newEvictor;
  }

  public TaskMemory forTask(String name) {
    return new TaskMemory(this, name);
  }

  public long totalBytes() {
    return totalBytes;
  }

  public long executionBytes() {
    return underLock(() -> executionBytes);
  }

  public long storageBytes() {
    return underLock(() -> storageBytes);
  }

  private long underLock(java.util.function.LongSupplier read) {
    lock.lock();
    try {
      return read.getAsLong();
    } finally {
      lock.unlock();
    }
  }

  /// Takes memory for a block if there is room. Evicts nothing.
  ///
  /// @return whether all of it was taken; if not, nothing was
  public boolean tryAcquireStorage(long bytes) {
    lock.lock();
    try {
      if (bytes > totalBytes - executionBytes - storageBytes) {
        return false;
      }
      storageBytes += bytes;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// How much would have to be evicted before `bytes` could be stored; empty room gives 0.
  ///
  /// @return more than `storageBytes` if it could never fit now
  public long storageShortage(long bytes) {
    return underLock(() -> Math.max(0, bytes - (totalBytes - executionBytes - storageBytes)));
  }

  public void releaseStorage(long bytes) {
    lock.lock();
    try {
      if (bytes > storageBytes) {
        throw new IllegalStateException("more storage memory released than was held");
      }
      storageBytes -= bytes;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// @return how much was taken: from 0 to `bytes`
  long acquireExecution(TaskMemory task, long bytes) {
    long deadline = 0;
    boolean mayEvict = true;
    lock.lock();
    try {
      register(task);
      while (true) {
        task.throwIfCancelled();
        long executionLimit = totalBytes - Math.min(storageBytes, storageRegionBytes);
        long most = executionLimit / activeTasks;
        long least = executionLimit / (2L * activeTasks);
        long wanted = Math.min(bytes, Math.max(0, most - task.heldBytes));
        long free = Math.max(0, totalBytes - executionBytes - storageBytes);
        if (mayEvict && wanted > free && storageBytes > storageRegionBytes) {
          evictUnlocked(Math.min(wanted - free, storageBytes - storageRegionBytes));
          mayEvict = false;
          continue;
        }
        long granted = Math.min(wanted, free);
        boolean enough = granted == bytes || task.heldBytes + granted >= least;
        if (enough || (deadline != 0 && System.nanoTime() - deadline >= 0)) {
          task.heldBytes += granted;
          task.peakBytes = Math.max(task.peakBytes, task.heldBytes);
          executionBytes += granted;
          return granted;
        }
        if (deadline == 0) {
          deadline = System.nanoTime() + MAX_WAIT_NANOS;
        }
        awaitChange(task, deadline - System.nanoTime());
        mayEvict = true;
      }
    } finally {
      lock.unlock();
    }
  }

  private void register(TaskMemory task) {
    if (!task.registered) {
      task.registered = true;
      activeTasks++;
      changed.signalAll();
    }
  }

  private void evictUnlocked(long bytes) {
    lock.unlock();
    try {
      evictor.evict(bytes);
    } finally {
      lock.lock();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // the caller loops
  private void awaitChange(TaskMemory task, long nanos) {
    try {
      long _ = changed.awaitNanos(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KilnException(
          "TASK_INTERRUPTED",
          KilnException.Kind.RESOURCES,
          task.name() + " was interrupted while it waited for memory",
          e);
    }
  }

  void releaseExecution(TaskMemory task, long bytes) {
    lock.lock();
    try {
      if (bytes > task.heldBytes) {
        throw new IllegalStateException(task.name() + " released more memory than it held");
      }
      task.heldBytes -= bytes;
      executionBytes -= bytes;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Gives back whatever the task still holds.
  ///
  /// @return how much that was
  long unregister(TaskMemory task) {
    lock.lock();
    try {
      long held = task.heldBytes;
      task.heldBytes = 0;
      executionBytes -= held;
      if (task.registered) {
        task.registered = false;
        activeTasks--;
        changed.signalAll();
      }
      return held;
    } finally {
      lock.unlock();
    }
  }

  void wakeWaiting() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
