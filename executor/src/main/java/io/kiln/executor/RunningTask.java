package io.kiln.executor;

import io.kiln.api.Aggregator;
import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.Records;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.TaskContext;
import io.kiln.api.accumulator.Accumulator;
import io.kiln.api.listener.KilnEvent.TaskInfo;
import io.kiln.api.listener.TaskMetrics;
import io.kiln.api.spi.CombiningMap;
import io.kiln.api.spi.TaskRuntime;
import io.kiln.protocol.ExecutorMessage.TaskBatch;
import io.kiln.storage.LocalStorage;
import io.kiln.storage.TaskStorage;
import io.kiln.storage.shuffle.ShuffleFetchFailure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One attempt of a task, from its claim to its update. Used by its slot's thread, except for
/// [#kill] and [#isInterrupted].
///
/// What a task may not need is made when first asked for: an empty task touches no storage.
///
/// ```
/// RUNNING ──end──► ENDED
///    │ kill with interrupt           the end waits while INTERRUPTING, so that
///    ▼                               the interrupt can't hit the thread's next task
/// INTERRUPTING ──► INTERRUPTED ──end──► ENDED
/// ```
final class RunningTask extends TaskContext implements TaskRuntime {
  private static final Logger LOG = LoggerFactory.getLogger(RunningTask.class);
  private static final AtomicReferenceFieldUpdater<RunningTask, State> STATE =
      AtomicReferenceFieldUpdater.newUpdater(RunningTask.class, State.class, "state");

  /// Whether the slot's thread may still be interrupted on the task's behalf.
  private enum State {
    RUNNING,
    INTERRUPTING,
    INTERRUPTED,
    ENDED
  }

  private final Supplier<LocalStorage> localStorage;
  private final Path filesDirectory;
  private final TaskBatch batch;
  private final int index;
  private final TaskTimer timer;
  private final EndActions endActions = new EndActions();
  private volatile State state = State.RUNNING;
  private volatile String killReason;
  private volatile TaskStorage storage;
  private volatile List<Accumulator<?, ?>> accumulators;

  RunningTask(
      Supplier<LocalStorage> localStorage,
      Path filesDirectory,
      TaskBatch batch,
      int index,
      TaskTimer timer) {
    this.localStorage = localStorage;
    this.filesDirectory = filesDirectory;
    this.batch = batch;
    this.index = index;
    this.timer = timer;
  }

  static void clearCurrent() {
    setCurrent(null);
  }

  void makeCurrent() {
    setCurrent(this);
  }

  // ---- the user's view ----------------------------------------------------------------------

  @Override
  public int stageId() {
    return batch.stageId();
  }

  @Override
  public int stageAttemptNumber() {
    return batch.stageAttempt();
  }

  @Override
  public int partitionId() {
    return batch.partitions()[index];
  }

  @Override
  public int attemptNumber() {
    return batch.attempts()[index];
  }

  @Override
  public long taskAttemptId() {
    return batch.taskIds()[index];
  }

  @Override
  public Optional<String> localProperty(String key) {
    return Optional.ofNullable(batch.properties().get(key));
  }

  @Override
  public boolean isInterrupted() {
    return killReason != null;
  }

  @Override
  public void throwIfInterrupted() {
    String reason = killReason;
    if (reason != null) {
      throw new KilnException(
          "TASK_KILLED", KilnException.Kind.USER, "the task was killed: " + reason);
    }
  }

  @Override
  public void onCompletion(Runnable action) {
    endActions.onCompletion(action);
  }

  @Override
  public void onFailure(Consumer<Throwable> action) {
    endActions.onFailure(action);
  }

  @Override
  public TaskRuntime runtime() {
    return this;
  }

  // ---- the RDDs' view -----------------------------------------------------------------------

  @Override
  public <T> Records<T> persisted(RDD<T> rdd, Partition split) throws Exception {
    return storage().persisted(rdd, split, this);
  }

  @Override
  public <K, C> Records<Pair<K, C>> readShuffle(
      ShuffleDependency<K, ?, C> shuffle, int first, int end) throws Exception {
    return storage().readShuffle(shuffle, first, end);
  }

  @Override
  public <K, V, C> CombiningMap<K, V, C> combiningMap(Aggregator<V, C> aggregator) {
    return storage().combiningMap(aggregator);
  }

  @Override
  public Path filesDirectory() {
    return filesDirectory;
  }

  @Override
  public void accumulatorArrived(Accumulator<?, ?> accumulator) {
    if (accumulators == null) {
      accumulators = new CopyOnWriteArrayList<>(); // those who watch look through it
    }
    accumulators.add(accumulator);
  }

  @Override
  public Optional<Accumulator<?, ?>> accumulator(long accumulatorId) {
    List<Accumulator<?, ?>> arrived = accumulators;
    if (arrived != null) {
      for (Accumulator<?, ?> accumulator : arrived) {
        if (accumulator.id() == accumulatorId) {
          return Optional.of(accumulator);
        }
      }
    }
    return Optional.empty();
  }

  // ---- the executor's view ------------------------------------------------------------------

  TaskStorage storage() {
    TaskStorage opened = storage;
    if (opened == null) {
      opened = localStorage.get().forTask(taskAttemptId());
      storage = opened;
      if (killReason != null) {
        opened.cancel(killReason); // the killer may have looked before it was there
      }
    }
    return opened;
  }

  /// The task's copies that something was added to.
  List<Accumulator<?, ?>> accumulatorUpdates() {
    if (accumulators == null) {
      return List.of();
    }
    List<Accumulator<?, ?>> updates = new ArrayList<>();
    for (Accumulator<?, ?> accumulator : accumulators) {
      if (!accumulator.isZero()) {
        updates.add(accumulator);
      }
    }
    return updates;
  }

  /// How far it is. Thread-safe.
  ///
  /// @param thread the thread of the slot that runs it
  TaskSnapshot snapshot(String executorId, Thread thread) {
    List<Accumulator<?, ?>> arrived = accumulators;
    return new TaskSnapshot(
        new TaskInfo(
            taskAttemptId(),
            stageId(),
            stageAttemptNumber(),
            partitionId(),
            attemptNumber(),
            executorId),
        storageMetrics().withTimes(timer.soFar(thread)),
        arrived == null ? List.of() : copies(arrived));
  }

  /// A user's accumulator may not bear that another thread looks at it.
  @SuppressWarnings("CatchingUnchecked")
  private static List<TaskSnapshot.Counted> copies(List<Accumulator<?, ?>> originals) {
    List<TaskSnapshot.Counted> copies = new ArrayList<>();
    for (Accumulator<?, ?> original : originals) {
      try {
        if (!original.isZero()) {
          copies.add(new TaskSnapshot.Counted(original, original.copy()));
        }
      } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
        LOG.debug("The value so far of accumulator {} can't be had", original.id(), e);
      }
    }
    return copies;
  }

  TaskTimer timer() {
    return timer;
  }

  /// What it has used of storage so far. Thread-safe.
  TaskMetrics storageMetrics() {
    TaskStorage opened = storage;
    return opened == null ? TaskMetrics.NONE : opened.metrics();
  }

  /// The first map output that it could not read.
  Optional<ShuffleFetchFailure> fetchFailure() {
    TaskStorage opened = storage;
    return opened == null ? Optional.empty() : opened.fetchFailure();
  }

  /// Why it was killed; `null` if it wasn't.
  String killReason() {
    return killReason;
  }

  /// @param thread the thread of the slot that runs it
  void kill(String reason, boolean interrupt, Thread thread) {
    killReason = reason;
    TaskStorage opened = storage;
    if (opened != null) {
      opened.cancel(reason);
    }
    if (interrupt && STATE.compareAndSet(this, State.RUNNING, State.INTERRUPTING)) {
      thread.interrupt();
      state = State.INTERRUPTED;
    }
  }

  /// The actions for the end have run after this; what they add to accumulators counts.
  ///
  /// @return as [EndActions#run]
  Throwable runEndActions(Throwable failure) {
    return endActions.run(failure);
  }

  /// Gives back all that the task holds.
  ///
  /// @return as [EndActions#run]
  Throwable close(Throwable failure) {
    TaskStorage opened = storage;
    if (opened == null) {
      return failure;
    }
    storage = null;
    try {
      opened.close();
      return failure;
    } catch (Throwable e) {
      return EndActions.joined(failure, e);
    }
  }

  /// No interrupt reaches the thread on this task's behalf after this, and nothing that is added to
  /// accumulators counts for it.
  void end() {
    if (accumulators != null) {
      accumulators.forEach(Accumulator::taskEnded);
    }
    if (STATE.compareAndSet(this, State.RUNNING, State.ENDED)) {
      return;
    }
    while (state == State.INTERRUPTING) {
      Thread.onSpinWait();
    }
    state = State.ENDED;
  }
}
