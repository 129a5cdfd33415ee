package io.kiln.files;

import io.kiln.api.KilnException;
import io.kiln.api.TaskContext;
import io.kiln.api.spi.TaskRuntime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;

/// A task without an engine: a partition, an attempt, and a switch that cancels it.
final class ScriptedTask extends TaskContext {
  private final int partition;
  private final long attemptId;
  private final Deque<Runnable> completions = new ArrayDeque<>();
  private boolean interrupted;

  ScriptedTask(int partition, long attemptId) {
    this.partition = partition;
    this.attemptId = attemptId;
  }

  void interrupt() {
    interrupted = true;
  }

  void end() {
    completions.forEach(Runnable::run);
  }

  @Override
  public int stageId() {
    return 0;
  }

  @Override
  public int stageAttemptNumber() {
    return 0;
  }

  @Override
  public int partitionId() {
    return partition;
  }

  @Override
  public int attemptNumber() {
    return 0;
  }

  @Override
  public long taskAttemptId() {
    return attemptId;
  }

  @Override
  public Optional<String> localProperty(String key) {
    return Optional.empty();
  }

  @Override
  public boolean isInterrupted() {
    return interrupted;
  }

  @Override
  public void throwIfInterrupted() {
    if (interrupted) {
      throw new KilnException("TASK_KILLED", KilnException.Kind.USER, "cancelled by the test");
    }
  }

  @Override
  public void onCompletion(Runnable action) {
    completions.push(action);
  }

  @Override
  public void onFailure(Consumer<Throwable> action) {}

  @Override
  public TaskRuntime runtime() {
    throw new UnsupportedOperationException("no engine here");
  }
}
