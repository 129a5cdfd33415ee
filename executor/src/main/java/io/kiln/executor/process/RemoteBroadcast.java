package io.kiln.executor.process;

import io.kiln.api.Broadcast;
import io.kiln.api.KilnException;
import io.kiln.executor.BroadcastReference;
import java.io.Serial;

/// A broadcast in an executor's process: fetched when a task first reads it, and then shared by
/// all. Thread-safe.
final class RemoteBroadcast<T> extends Broadcast<T> {

  /// Where values are.
  interface Values {
    /// The one copy of this process; fetches it if it isn't here.
    Object value(long id);

    void drop(long id);
  }

  private final transient String applicationId;
  private final transient Values values;

  RemoteBroadcast(String applicationId, long id, Values values) {
    super(id);
    this.applicationId = applicationId;
    this.values = values;
  }

  @Override
  @SuppressWarnings("unchecked") // the driver has the same type
  public T value() {
    return (T) values.value(id());
  }

  @Override
  public void unpersist() {
    values.drop(id());
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
