package io.kiln.driver;

import io.kiln.api.Broadcast;
import io.kiln.api.TaskContext;
import io.kiln.executor.BroadcastReference;
import java.io.Serial;

/// A broadcast as the driver holds it. The driver reads the object that it gave. Tasks read a copy
/// that they share, so that neither sees the other's changes: in this process the copy is found by
/// way of this object, in others by its id. Thread-safe.
final class DriverBroadcast<T> extends Broadcast<T> {
  private final transient Broadcasts registry;
  private transient volatile T original;
  private final transient boolean immutable;
  private transient volatile boolean destroyed;

  DriverBroadcast(long id, T original, boolean immutable, Broadcasts registry) {
    super(id);
    this.original = original;
    this.immutable = immutable;
    this.registry = registry;
  }

  @Override
  public T value() {
    if (destroyed) {
      throw Broadcasts.destroyed(id());
    }
    T value = original;
    if (immutable || TaskContext.current().isEmpty()) {
      return value;
    }
    @SuppressWarnings("unchecked") // a copy of the original
    T copy = (T) registry.copyForTasks(this, value);
    return copy;
  }

  boolean isImmutable() {
    return immutable;
  }

  @Override
  public void unpersist() {
    registry.drop(id());
  }

  @Override
  public void destroy() {
    destroyed = true;
    original = null;
    registry.forget(id());
  }

  @Serial
  private Object writeReplace() {
    return new BroadcastReference(registry.applicationId(), id());
  }
}
