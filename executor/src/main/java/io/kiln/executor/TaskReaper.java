package io.kiln.executor;

import io.kiln.api.KilnException;
import io.kiln.protocol.ExecutorExitCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Watches killed tasks until they have stopped: warns of one that goes on, and in the end has the
/// process end. Thread-safe. It has a daemon thread while there is something to watch.
final class TaskReaper implements AutoCloseable {
  private final ReaperOptions options;
  private final FatalErrors fatalErrors;
  private final Consumer<String> log;

  // guarded by this
  private final List<KilledTask> watched = new ArrayList<>();
  private Thread thread;
  private boolean closed;

  /// @param fatalErrors ends the process
  /// @param log of warnings
  TaskReaper(ReaperOptions options, FatalErrors fatalErrors, Consumer<String> log) {
    this.options = options;
    this.fatalErrors = fatalErrors;
    this.log = log;
  }

  /// A running task was told to stop. Never blocks.
  ///
  /// @param runs whether it still does
  /// @param stack what it is doing, for people
  synchronized void watch(RunningTask task, BooleanSupplier runs, Supplier<String> stack) {
    if (!options.enabled() || closed || watched.stream().anyMatch(known -> known.task == task)) {
      return;
    }
    KilledTask killed = new KilledTask(task, runs, stack, System.nanoTime());
    killed.nextLookNanos = killed.killedNanos + untilNextLook(Duration.ZERO).toNanos();
    watched.add(killed);
    if (thread == null) {
      thread = Thread.ofPlatform().daemon().name("kiln-executor-reaper").start(this::run);
    } else {
      notifyAll(); // it may be due earlier than the others
    }
  }

  private void run() {
    try {
      for (List<KilledTask> due = awaitDue(); !due.isEmpty(); due = awaitDue()) {
        due.forEach(this::lookForSure);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // nobody interrupts this thread
    }
  }

  /// @return empty if there is nothing to watch any more
  private synchronized List<KilledTask> awaitDue() throws InterruptedException {
    List<KilledTask> due = new ArrayList<>();
    while (due.isEmpty()) {
      watched.removeIf(KilledTask::hasStopped);
      if (watched.isEmpty() || closed) {
        thread = null;
        return List.of();
      }
      long now = System.nanoTime();
      long wait = Long.MAX_VALUE;
      for (KilledTask task : watched) {
        long left = task.nextLookNanos - now;
        if (left <= 0) {
          due.add(task);
        }
        wait = Math.min(wait, left);
      }
      if (due.isEmpty()) {
        wait(wait / 1_000_000 + 1);
      }
    }
    return due;
  }

  /// Without memory to describe one task, say, the others are watched all the same.
  private void lookForSure(KilledTask task) {
    try {
      look(task);
    } catch (RuntimeException | Error e) {
      task.nextLookNanos = System.nanoTime() + options.pollingInterval().toNanos();
    }
  }

  private void look(KilledTask task) {
    if (task.hasStopped()) {
      return;
    }
    Duration since = Duration.ofNanos(System.nanoTime() - task.killedNanos);
    String what = task.describe(since);
    log.accept(options.showsStack() ? what + ":\n" + task.stack.get() : what);
    if (options.killTimeout().isPresent() && since.compareTo(options.killTimeout().get()) >= 0) {
      fatalErrors.handle(
          ExecutorExitCode.TASK_WOULD_NOT_STOP,
          new KilnException(
              "TASK_WOULD_NOT_STOP",
              KilnException.Kind.APPLICATION,
              what + "; it does not look whether it was interrupted"));
    }
    task.nextLookNanos = System.nanoTime() + untilNextLook(since).toNanos();
  }

  /// @param since the kill
  private Duration untilNextLook(Duration since) {
    Duration usual = options.pollingInterval();
    Duration untilEnd = options.killTimeout().orElse(usual.plus(since)).minus(since);
    return untilEnd.isPositive() && untilEnd.compareTo(usual) < 0 ? untilEnd : usual;
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  /// Used by the reaper's thread, once it is watched.
  private static final class KilledTask {
    private final RunningTask task;
    private final BooleanSupplier runs;
    private final Supplier<String> stack;
    private final long killedNanos;
    private long nextLookNanos;

    KilledTask(RunningTask task, BooleanSupplier runs, Supplier<String> stack, long killedNanos) {
      this.task = task;
      this.runs = runs;
      this.stack = stack;
      this.killedNanos = killedNanos;
    }

    boolean hasStopped() {
      return !runs.getAsBoolean();
    }

    String describe(Duration since) {
      return "task "
          + task.taskAttemptId()
          + " (partition "
          + task.partitionId()
          + " of stage "
          + task.stageId()
          + "."
          + task.stageAttemptNumber()
          + ") was killed "
          + since.toMillis()
          + " ms ago ("
          + task.killReason()
          + ") and still runs";
    }
  }
}
