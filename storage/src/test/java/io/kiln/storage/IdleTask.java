package io.kiln.storage;

import io.kiln.api.TaskContext;
import io.kiln.api.spi.TaskRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// A task of a test. It runs nothing, and what is to be done at its end is done when it is closed.
public final class IdleTask extends TaskContext implements AutoCloseable {
  private final List<Runnable> actions = new ArrayList<>();

  @Override
  public void close() {
    actions.forEach(Runnable::run);
  }

  @Override
  public void onCompletion(Runnable action) {
    actions.add(action);
  }

  @Override
  public void onFailure(Consumer<Throwable> action) {}

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
    return 0;
  }

  @Override
  public int attemptNumber() {
    return 0;
  }

  @Override
  public long taskAttemptId() {
    return 0;
  }

  @Override
  public Optional<String> localProperty(String key) {
    return Optional.empty();
  }

  @Override
  public boolean isInterrupted() {
    return false;
  }

  @Override
  public void throwIfInterrupted() {}

  @Override
  public TaskRuntime runtime() {
    throw new IllegalStateException("this task runs nothing");
  }
}
