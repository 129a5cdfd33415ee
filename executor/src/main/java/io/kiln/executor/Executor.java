package io.kiln.executor;

import io.kiln.protocol.ExecutorMessage;
import io.kiln.protocol.ExecutorMessage.Decommission;
import io.kiln.protocol.ExecutorMessage.Drained;
import io.kiln.protocol.ExecutorMessage.DropStored;
import io.kiln.protocol.ExecutorMessage.ForgetStage;
import io.kiln.protocol.ExecutorMessage.KillTasks;
import io.kiln.protocol.ExecutorMessage.LaunchTasks;
import io.kiln.protocol.ExecutorMessage.ReturnTasks;
import io.kiln.protocol.ExecutorMessage.TaskBatch;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.protocol.TaskUpdate.Returned;
import io.kiln.storage.LocalStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/// Runs the tasks that the scheduler sends, on a thread a slot, and reports in batches what became
/// of them.
///
/// [#receive] is called by one thread at a time and never blocks. Threads start when there is
/// something to run. After [#close], running tasks are killed and nothing is reported any more.
public final class Executor implements AutoCloseable {
  /// Of a slot's thread; reserved, not committed.
  private static final long STACK_BYTES = 16L << 20;

  private final ExecutorSettings settings;
  private final TaskQueue queue = new TaskQueue();
  private final Supplier<LocalStorage> storage;
  private final UpdateBuffer updates;
  private final List<Slot> slots;
  private final TaskReaper reaper;
  private final ProgressTimer progressTimer;
  private int startedSlots;
  private volatile JvmTimes jvm = JvmTimes.UNMEASURED;
  private volatile boolean closed;

  /// @param storage opened when a task first needs it; answers the same at each call
  /// @param encoder of results
  /// @param culprit the path of fields to what keeps an object from being serialised, for messages
  /// @param scheduler where updates go; called by one thread at a time, must not block
  /// @param progress hears at intervals how far the running tasks are, while they are watched
  public Executor(
      ExecutorSettings settings,
      Supplier<LocalStorage> storage,
      ResultEncoder encoder,
      Function<Object, Optional<String>> culprit,
      FatalErrors fatalErrors,
      Consumer<TaskUpdates> scheduler,
      Consumer<List<TaskSnapshot>> progress) {
    this.settings = settings;
    this.storage = storage;
    this.updates =
        new UpdateBuffer(
            batch ->
                scheduler.accept(
                    new TaskUpdates(settings.executorId(), settings.incarnation(), batch)));
    this.reaper =
        new TaskReaper(
            settings.reaper(), fatalErrors, LoggerFactory.getLogger(TaskReaper.class)::warn);
    this.progressTimer =
        new ProgressTimer(settings.progressInterval(), () -> tellProgress(progress));
    this.slots = new ArrayList<>(settings.slots());
    for (int i = 0; i < settings.slots(); i++) {
      TaskRunner runner =
          new TaskRunner(
              settings.executorId(), encoder, settings.maxResultSizeBytes(), culprit, fatalErrors);
      slots.add(new Slot(queue, updates, runner, storage, settings.filesDirectory(), () -> jvm));
    }
  }

  /// Takes a message from the scheduler; drops it if it is for another incarnation.
  public void receive(ExecutorMessage message) {
    if (message.incarnation() != settings.incarnation() || closed) {
      return;
    }
    switch (message) {
      case LaunchTasks launch -> launch(launch);
      case KillTasks kill -> kill(kill);
      case ReturnTasks back -> returnTasks(back);
      case DropStored(long _, List<Integer> rddIds) -> rddIds.forEach(storage.get()::removeRdd);
      case ForgetStage _ -> {} // the binary goes with its last batch
      case Decommission _, Drained _ -> {} // its process's matter
    }
  }

  /// Whether somebody wants to know what tasks use: those that begin from now on tell it in full.
  /// Thread-safe.
  public void watch(boolean watched) {
    if (watched) {
      jvm = JvmTimes.measured();
      progressTimer.start();
    } else {
      progressTimer.stop();
      jvm = JvmTimes.UNMEASURED;
    }
  }

  private void tellProgress(Consumer<List<TaskSnapshot>> progress) {
    List<TaskSnapshot> snapshots = new ArrayList<>();
    for (Slot slot : slots) {
      slot.snapshot(settings.executorId()).ifPresent(snapshots::add);
    }
    if (!snapshots.isEmpty()) {
      progress.accept(snapshots);
    }
  }

  private void launch(LaunchTasks launch) {
    List<QueuedBatch> batches = new ArrayList<>(launch.batches().size());
    int tasks = 0;
    for (TaskBatch batch : launch.batches()) {
      batches.add(new QueuedBatch(batch));
      tasks += batch.taskIds().length;
    }
    queue.add(batches);
    for (int needed = tasks; needed > 0 && startedSlots < slots.size(); needed--) {
      slots.get(startedSlots).start("kiln-executor-task-" + startedSlots, STACK_BYTES);
      startedSlots++;
    }
  }

  private void returnTasks(ReturnTasks back) {
    for (long taskId : queue.takeBack(back.atMost())) {
      updates.add(new Returned(taskId), queue.size(), System.nanoTime());
    }
  }

  private void kill(KillTasks kill) {
    for (long taskId : kill.taskIds()) {
      queue.kill(taskId, kill.reason());
      for (Slot slot : slots) {
        slot.kill(taskId, kill.reason(), kill.interrupt(), reaper);
      }
    }
  }

  /// Idempotent. Interrupts running tasks and doesn't wait for them.
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    queue.close();
    updates.close();
    reaper.close();
    progressTimer.close();
    for (Slot slot : slots) {
      slot.stop("the executor was closed");
    }
  }

  /// Waits, after [#close], until no task runs any more.
  ///
  /// @return false if some still run after the timeout
  public boolean awaitEnd(Duration timeout) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    boolean ended = true;
    for (Slot slot : slots) {
      ended &= slot.join(deadlineNanos - System.nanoTime());
    }
    return ended;
  }
}
