package io.kiln.executor;

import io.kiln.protocol.ExecutorMessage.TaskBatch;
import io.kiln.protocol.TaskUpdate;
import io.kiln.protocol.TaskUpdate.Failed;
import io.kiln.storage.LocalStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.security.auth.Subject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A thread that runs one task at a time until the queue is closed, as whoever made the slot: a
/// thread doesn't inherit its maker's [Subject].
final class Slot implements Runnable {
  static {
    // A class whose first use fails, for want of memory, can never be used again: those that a
    // failure is reported by are used once before a task can take the memory.
    var _ = new Failed(0, TaskFailures.OUT_OF_MEMORY);
    var _ = BrokenClass.of(new NoClassDefFoundError());
  }

  private static final Logger LOG = LoggerFactory.getLogger(Slot.class);
  private static final int TRIES_WITHOUT_MEMORY = 1_000;
  private static final long PAUSE_WITHOUT_MEMORY_NANOS = 10_000_000;

  private final TaskQueue queue;
  private final UpdateBuffer updates;
  private final TaskRunner runner;
  private final Supplier<LocalStorage> storage;
  private final Path filesDirectory;
  private final Supplier<JvmTimes> jvm;
  private final Subject user = Subject.current();
  private StageBinary binary;
  private boolean mayHaveWaited;
  private volatile QueuedBatch considered;
  private volatile RunningTask current;
  private volatile Thread thread;

  Slot(
      TaskQueue queue,
      UpdateBuffer updates,
      TaskRunner runner,
      Supplier<LocalStorage> storage,
      Path filesDirectory,
      Supplier<JvmTimes> jvm) {
    this.queue = queue;
    this.updates = updates;
    this.runner = runner;
    this.storage = storage;
    this.filesDirectory = filesDirectory;
    this.jvm = jvm;
  }

  void start(String name, long stackSizeBytes) {
    Thread started = new Thread(null, this, name, stackSizeBytes);
    started.setDaemon(true);
    thread = started;
    started.start();
  }

  @Override
  public void run() {
    try {
      if (user == null) {
        runTasks();
      } else {
        Subject.callAs(
            user,
            () -> {
              runTasks();
              return null;
            });
      }
    } catch (Throwable e) { // half an executor would be given tasks that nobody runs
      runner.giveUp(e);
    }
  }

  private void runTasks() {
    long now = System.nanoTime();
    for (int index = queue.claim(this); index >= 0; index = queue.claim(this)) {
      if (mayHaveWaited) {
        now = System.nanoTime();
        mayHaveWaited = false;
      }
      now = runTaskForSure(considered, index, now);
    }
  }

  /// Without memory for what surrounds a task, or after a fault of ours, the task fails: lost, it
  /// would be waited for for ever.
  private long runTaskForSure(QueuedBatch queued, int index, long startNanos) {
    long taskId = queued.batch().taskIds()[index];
    try {
      return runTask(queued, index, startNanos);
    } catch (OutOfMemoryError e) {
      current = null;
      for (int left = TRIES_WITHOUT_MEMORY; left > 0; left--) {
        LockSupport.parkNanos(PAUSE_WITHOUT_MEMORY_NANOS); // whoever took the memory fails as well
        if (reportedOutOfMemory(taskId)) {
          return System.nanoTime();
        }
      }
      throw e;
    } catch (RuntimeException | Error e) {
      current = null;
      Thread.interrupted(); // as below
      LOG.error("What became of task {} could not be told", taskId, e);
      updates.add(new Failed(taskId, TaskFailures.untold(e)), 0, System.nanoTime());
      return System.nanoTime();
    }
  }

  /// If the task's end was reported already, this is stale and dropped.
  private boolean reportedOutOfMemory(long taskId) {
    try {
      updates.add(new Failed(taskId, TaskFailures.OUT_OF_MEMORY), 0, System.nanoTime());
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private long runTask(QueuedBatch queued, int index, long startNanos) {
    TaskBatch batch = queued.batch();
    RunningTask task =
        new RunningTask(
            storage, filesDirectory, batch, index, new TaskTimer(jvm.get(), startNanos));
    current = task;
    String killReason = queued.killReason(task.taskAttemptId());
    if (killReason != null) {
      task.kill(killReason, false, thread);
    }
    enterBatch(batch);
    TaskUpdate update = runner.run(task, binary);
    current = null;
    Thread.interrupted(); // the task's own interrupts end with it
    long now = System.nanoTime();
    updates.add(update, queue.size(), now);
    return now;
  }

  private void enterBatch(TaskBatch batch) {
    if (binary != batch.binary()) {
      binary = (StageBinary) batch.binary();
      thread.setContextClassLoader(binary.classes().context());
    }
  }

  /// The slot may claim a task of this batch.
  void considers(QueuedBatch batch) {
    considered = batch;
  }

  /// The slot has no task: it holds on to nothing of the last.
  void leavesBatch() {
    mayHaveWaited = true;
    binary = null;
    RunningTask.clearCurrent();
  }

  /// Ends the slot's task, if it has one.
  void stop(String reason) {
    RunningTask running = current;
    if (running != null) {
      running.kill(reason, true, thread);
    }
  }

  /// @return whether the thread has ended
  boolean join(long timeoutNanos) throws InterruptedException {
    Thread started = thread;
    if (started == null || started == Thread.currentThread()) {
      return true; // a task may close its context
    }
    return started.join(Duration.ofNanos(Math.max(1, timeoutNanos)));
  }

  /// How far its task is, if it has one.
  Optional<TaskSnapshot> snapshot(String executorId) {
    RunningTask running = current;
    return running == null ? Optional.empty() : Optional.of(running.snapshot(executorId, thread));
  }

  /// Kills the task if it is this slot's.
  ///
  /// Marks it in the batch first: a slot that has claimed it and not yet shown it in `current`
  /// looks there afterwards.
  void kill(long taskId, String reason, boolean interrupt, TaskReaper reaper) {
    QueuedBatch batch = considered;
    if (batch != null) {
      batch.kill(taskId, reason);
    }
    RunningTask running = current;
    if (running != null && running.taskAttemptId() == taskId) {
      running.kill(reason, interrupt, thread);
      reaper.watch(running, () -> current == running, () -> Stacks.of(thread));
    }
  }
}
