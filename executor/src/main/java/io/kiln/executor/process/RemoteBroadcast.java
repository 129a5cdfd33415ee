package io.kiln.executor.process;

import io.kiln.api.Broadcast;
import io.kiln.api.KilnException;
import io.kiln.executor.BroadcastReference;
import io.kiln.executor.TaskWait;
import io.kiln.storage.remote.SharedBroadcasts;
import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;

/// A broadcast in an executor's process: fetched when a task first reads it, and then shared by
/// all. Thread-safe.
final class RemoteBroadcast<T> extends Broadcast<T> {

  private final transient String applicationId;
  private final transient SharedBroadcasts values;

  RemoteBroadcast(String applicationId, long id, SharedBroadcasts values) {
    super(id);
    this.applicationId = applicationId;
    this.values = values;
  }

  @Override
  @SuppressWarnings("unchecked") // the driver has the same type
  public T value() {
    try {
      return (T) TaskWait.during(() -> values.value(id()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KilnException(
          "TASK_INTERRUPTED",
          KilnException.Kind.RESOURCES,
          "a task was interrupted while it fetched broadcast " + id(),
          e);
    }
  }

  @Override
  public void unpersist() {
    values.remove(id());
  }

  @Override
  public void destroy() {
    throw new KilnException(
        "BROADCAST_NOT_YOURS",
        KilnException.Kind.USER,
        "a task can't destroy broadcast " + id() + "; destroy it in the driver");
  }

  @Serial
  private Object writeReplace() {
    return new BroadcastReference(applicationId, id());
  }
}
