package io.kiln.executor;

import io.kiln.api.KilnException;
import io.kiln.api.Partition;
import io.kiln.api.accumulator.LostAccumulators;
import io.kiln.api.listener.TaskMetrics;
import io.kiln.protocol.TaskFailure;
import io.kiln.protocol.TaskResult;
import io.kiln.protocol.TaskUpdate;
import io.kiln.protocol.TaskUpdate.CouldNotFetch;
import io.kiln.protocol.TaskUpdate.Failed;
import io.kiln.protocol.TaskUpdate.Succeeded;
import io.kiln.storage.serializer.SizeLimitExceeded;
import io.kiln.storage.shuffle.ShuffleFetchFailure;
import java.util.Optional;
import java.util.function.Function;

/// Runs one task after the other, on the thread of its slot, and says what became of each. Throws
/// nothing: whatever a task throws becomes an update.
final class TaskRunner {
  private static final int RESERVE_BYTES = 128 * 1024;

  /// No array has more.
  private static final int LARGEST_RESULT_BYTES = Integer.MAX_VALUE - 64;

  private final String executorId;
  private final ResultEncoder encoder;
  private final long maxResultSizeBytes;
  private final Function<Object, Optional<String>> culprit;
  private final FatalErrors fatalErrors;

  @SuppressWarnings("UnusedVariable") // it is there to be let go of
  private byte[] reserve = new byte[RESERVE_BYTES];

  /// @param culprit the path of fields to what keeps an object from being serialised
  TaskRunner(
      String executorId,
      ResultEncoder encoder,
      long maxResultSizeBytes,
      Function<Object, Optional<String>> culprit,
      FatalErrors fatalErrors) {
    this.executorId = executorId;
    this.encoder = encoder;
    this.maxResultSizeBytes = maxResultSizeBytes;
    this.culprit = culprit;
    this.fatalErrors = fatalErrors;
  }

  TaskUpdate run(RunningTask task, StageBinary binary) {
    try {
      return attempt(task, binary);
    } catch (Throwable e) { // while failing: our bug, or no memory
      return TaskFailures.isOutOfMemory(e)
          ? outOfMemory(task, e, TaskMetrics.NONE)
          : new Failed(task.taskAttemptId(), TaskFailures.thrown(e));
    }
  }

  /// The slot can run no more tasks.
  void giveUp(Throwable why) {
    fatalErrors.handle(
        isForWantOfMemory(why) ? FatalErrors.OUT_OF_MEMORY : FatalErrors.UNCAUGHT, why);
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, why);
  }

  /// Also where the scheduler of this process had none, whom the slot could not tell any more.
  private static boolean isForWantOfMemory(Throwable why) {
    return TaskFailures.isOutOfMemory(why)
        || (why instanceof KilnException failure
            && (failure.kind() == KilnException.Kind.RESOURCES
                || TaskFailures.isOutOfMemory(failure.getCause())));
  }

  private TaskUpdate attempt(RunningTask task, StageBinary binary) {
    Object value = null;
    TaskResult result = null;
    Throwable failure = null;
    task.makeCurrent();
    try {
      value = compute(task, binary);
    } catch (Throwable e) {
      failure = e;
    }
    failure = task.runEndActions(failure);
    if (failure == null) {
      try {
        LostAccumulators.requireNone();
        result = result(task, value);
      } catch (Throwable e) {
        failure = e;
      }
    }
    Optional<ShuffleFetchFailure> fetch = failure == null ? Optional.empty() : task.fetchFailure();
    TaskMetrics moved = storageMetrics(task);
    failure = task.close(failure);
    task.end();
    TaskMetrics used = moved.withTimes(task.timer().end());
    if (failure == null) {
      return new Succeeded(
          task.taskAttemptId(), result, used.withResultSizeBytes(result.sizeBytes()));
    }
    encoder.forget(task.taskAttemptId());
    return fetch.isPresent() && task.killReason() == null
        ? couldNotFetch(task, fetch.get(), used)
        : failed(task, failure, used);
  }

  private static Object compute(RunningTask task, StageBinary binary) throws Exception {
    task.throwIfInterrupted();
    StageWork work = binary.workForTask();
    Partition split = binary.partitionForTask(task.partitionId());
    task.timer().restored();
    return work.run(task, split);
  }

  private TaskResult result(RunningTask task, Object value) throws ResultRefusedException {
    task.timer().computed();
    TaskResult result = encoded(value, task);
    task.timer().serialized();
    return result;
  }

  /// The task has to be closed in any case.
  private static TaskMetrics storageMetrics(RunningTask task) {
    try {
      return task.storageMetrics();
    } catch (OutOfMemoryError e) {
      return TaskMetrics.NONE;
    }
  }

  private TaskResult encoded(Object value, RunningTask task) throws ResultRefusedException {
    TaskResult result;
    try {
      int maxBytes =
          maxResultSizeBytes > 0
              ? (int) Math.min(maxResultSizeBytes, LARGEST_RESULT_BYTES)
              : LARGEST_RESULT_BYTES;
      result = encoder.encode(task.taskAttemptId(), value, task.accumulatorUpdates(), maxBytes);
    } catch (SizeLimitExceeded e) {
      throw new ResultRefusedException(tooLarge(), e);
    } catch (RuntimeException e) {
      throw new ResultRefusedException(unserializable(value, e), e);
    }
    if (maxResultSizeBytes > 0 && result.sizeBytes() > maxResultSizeBytes) {
      throw new ResultRefusedException(
          "the task's result has "
              + result.sizeBytes()
              + " bytes, which is more than spark.driver.maxResultSize ("
              + maxResultSizeBytes
              + " bytes); return less to the driver, or raise the limit",
          null);
    }
    return result;
  }

  private String tooLarge() {
    return maxResultSizeBytes > 0 && maxResultSizeBytes <= LARGEST_RESULT_BYTES
        ? "the task's result has more than spark.driver.maxResultSize allows ("
            + maxResultSizeBytes
            + " bytes); return less to the driver, or raise the limit"
        : "the task's result has more than 2 GiB, which no result may have; return less to the"
            + " driver, or write it to files";
  }

  private String unserializable(Object value, Exception e) {
    return "the task's result, of "
        + value.getClass()
        + ", can't be serialised: "
        + culprit.apply(value).orElseGet(() -> UserTrace.firstLine(e))
        + "; make it serialisable, or return something else";
  }

  private CouldNotFetch couldNotFetch(
      RunningTask task, ShuffleFetchFailure fetch, TaskMetrics used) {
    return new CouldNotFetch(
        task.taskAttemptId(),
        fetch.shuffleId(),
        fetch.mapPartition(),
        fetch.executorId().orElse(executorId),
        UserTrace.message(fetch),
        used);
  }

  private TaskUpdate failed(RunningTask task, Throwable failure, TaskMetrics used) {
    long taskId = task.taskAttemptId();
    String killReason = task.killReason();
    if (killReason != null) {
      return new Failed(taskId, TaskFailures.killed(killReason), used);
    }
    if (TaskFailures.isOutOfMemory(failure)) {
      return outOfMemory(task, failure, used);
    }
    if (failure instanceof InternalError || failure instanceof UnknownError) {
      fatalErrors.handle(FatalErrors.UNCAUGHT, failure);
    }
    if (BrokenClass.of(failure).isPresent()) {
      fatalErrors.handle(FatalErrors.CLASSES_BROKEN, failure);
    }
    return new Failed(taskId, TaskFailures.thrown(failure), used);
  }

  /// What the task held is unreachable by now; the reserve makes sure that its end can be told.
  private TaskUpdate outOfMemory(RunningTask task, Throwable error, TaskMetrics used) {
    long taskId = task.taskAttemptId();
    reserve = null;
    TaskFailure failure;
    try {
      failure = TaskFailures.thrown(error);
    } catch (OutOfMemoryError | LinkageError again) {
      fatalErrors.handle(FatalErrors.OUT_OF_MEMORY, again);
      failure = TaskFailures.OUT_OF_MEMORY;
    }
    Failed update = new Failed(taskId, failure, used);
    try {
      reserve = new byte[RESERVE_BYTES];
    } catch (OutOfMemoryError again) {
      fatalErrors.handle(FatalErrors.OUT_OF_MEMORY, again);
    }
    return update;
  }
}
