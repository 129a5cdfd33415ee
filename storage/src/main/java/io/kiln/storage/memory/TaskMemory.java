package io.kiln.storage.memory;

import io.kiln.api.KilnException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The memory of one task, held by its [Reservation]s. Used by the task's thread, except [#cancel]
/// and [#peakBytes].
///
/// When memory is short, the task's other reservations are asked to spill before one is refused.
public final class TaskMemory implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(TaskMemory.class);

  private final UnifiedMemory memory;
  private final String name;
  private final List<Reservation> reservations = new ArrayList<>();
  private volatile String cancelled = "";

  // guarded by itself
  private final List<Runnable> cancelActions = new ArrayList<>();

  // guarded by the lock of UnifiedMemory
  long heldBytes;
  volatile long peakBytes;
  boolean registered;

  TaskMemory(UnifiedMemory memory, String name) {
    this.memory = memory;
    this.name = name;
  }

  String name() {
    return name;
  }

  /// What all tasks and blocks of the process share.
  public long totalBytes() {
    return memory.totalBytes();
  }

  /// The most that was held at once.
  public long peakBytes() {
    return peakBytes;
  }

  /// @param holder for the log, if it is left open
  /// @param spiller frees memory when others of this task need it
  public Reservation reservation(String holder, Spiller spiller) {
    Reservation reservation = new Reservation(this, holder, spiller);
    reservations.add(reservation);
    return reservation;
  }

  /// Makes waiting and later requests fail. Thread-safe.
  public void cancel(String reason) {
    cancelled = reason.isEmpty() ? "no reason given" : reason;
    memory.wakeWaiting();
    List<Runnable> actions;
    synchronized (cancelActions) {
      actions = List.copyOf(cancelActions);
    }
    actions.forEach(Runnable::run);
  }

  /// Calls the action when the task is cancelled, or at once if it was. Must not block.
  public void onCancel(Runnable action) {
    synchronized (cancelActions) {
      cancelActions.add(action);
    }
    if (!cancelled.isEmpty()) {
      action.run();
    }
  }

  /// Waits for others.
  @FunctionalInterface
  public interface Waiting<T> {
    T run() throws IOException, InterruptedException;
  }

  /// Runs, on the task's thread, what waits for other processes; [#cancel] interrupts it.
  ///
  /// @throws KilnException with code `TASK_KILLED` after [#cancel]
  public <T> T during(Waiting<T> waiting) throws IOException, InterruptedException {
    Interruption interruption = new Interruption(Thread.currentThread());
    synchronized (cancelActions) {
      cancelActions.add(interruption);
    }
    try {
      throwIfCancelled();
      return waiting.run();
    } finally {
      synchronized (cancelActions) {
        cancelActions.remove(interruption);
      }
      interruption.end();
      throwIfCancelled(); // whatever came of it
    }
  }

  /// Interrupts a thread that waits, and never afterwards.
  private static final class Interruption implements Runnable {
    private final Thread thread;

    // guarded by this
    private boolean over;
    private boolean sent;

    Interruption(Thread thread) {
      this.thread = thread;
    }

    @Override
    public synchronized void run() {
      if (!over) {
        sent = true;
        thread.interrupt();
      }
    }

    synchronized void end() {
      over = true;
      if (sent) {
        Thread.interrupted(); // it was for the waiting only
      }
    }
  }

  /// @throws KilnException with code `TASK_KILLED` after [#cancel]
  public void throwIfCancelled() {
    String reason = cancelled;
    if (!reason.isEmpty()) {
      throw new KilnException(
          "TASK_KILLED", KilnException.Kind.RESOURCES, name + " was killed: " + reason);
    }
  }

  /// @return whether all of it was taken; if not, nothing was
  boolean acquire(long bytes, Reservation asking) throws IOException {
    long granted = memory.acquireExecution(this, bytes);
    if (granted < bytes) {
      List<Reservation> others = new ArrayList<>(reservations);
      others.remove(asking);
      others.sort(Comparator.comparingLong(Reservation::bytes).reversed());
      for (Reservation other : others) {
        if (other.bytes() > 0 && other.spill() > 0) {
          granted += memory.acquireExecution(this, bytes - granted);
          if (granted == bytes) {
            return true;
          }
        }
      }
    }
    if (granted < bytes) {
      release(granted);
      return false;
    }
    return true;
  }

  void release(long bytes) {
    if (bytes > 0) {
      memory.releaseExecution(this, bytes);
    }
  }

  void forget(Reservation reservation) {
    reservations.remove(reservation);
  }

  /// Gives everything back and warns about reservations that were left open. Idempotent.
  @Override
  public void close() {
    for (Reservation reservation : reservations) {
      if (reservation.bytes() > 0 && !reservation.mayStayOpen) {
        logger.warn(
            "{} ended with {} bytes still held by {}", name, reservation.bytes(), reservation);
      }
    }
    reservations.clear();
    long _ = memory.unregister(this);
  }

  /// Frees memory by writing to disk what it holds.
  @FunctionalInterface
  public interface Spiller {
    /// For what can't spill.
    Spiller NOTHING = () -> 0;

    /// Called on the task's thread, while another reservation of the task asks for memory.
    ///
    /// @return how many bytes were given back; 0 if nothing can be now
    long spill() throws IOException;
  }

  /// What one holder has of the task's memory. Used by the task's thread.
  public static final class Reservation implements AutoCloseable {
    private final TaskMemory task;
    private final String holder;
    private final Spiller spiller;
    private long bytes;
    private boolean spilling;
    private boolean mayStayOpen;

    private Reservation(TaskMemory task, String holder, Spiller spiller) {
      this.task = task;
      this.holder = holder;
      this.spiller = spiller;
    }

    public long bytes() {
      return bytes;
    }

    /// @return whether at least `target` is held now; if not, what is held has not changed
    public boolean growTo(long target) throws IOException {
      if (target <= bytes) {
        return true;
      }
      long more = target - bytes;
      if (!task.acquire(more, this)) {
        return false;
      }
      bytes += more;
      return true;
    }

    /// Its holder is being read now, and the reader may stop at any record: left open, it is no
    /// leak.
    public void allowToStayOpen() {
      mayStayOpen = true;
    }

    public void shrinkTo(long target) {
      if (target < bytes) {
        long less = bytes - target;
        bytes = target;
        task.release(less);
      }
    }

    private long spill() throws IOException {
      if (spilling) {
        return 0;
      }
      spilling = true;
      try {
        return spiller.spill();
      } finally {
        spilling = false;
      }
    }

    /// Gives all back; it can't be used any more. Idempotent.
    @Override
    public void close() {
      shrinkTo(0);
      task.forget(this);
    }

    @Override
    public String toString() {
      return holder;
    }
  }
}
