package io.kiln.api;

import java.io.Serializable;

/// A read-only value that each executor gets once, however many tasks read it.
///
/// All tasks of an executor share one copy of the value, so it must not be changed. Thread-safe.
public abstract class Broadcast<T> implements Serializable {
  private final long id;

  protected Broadcast(long id) {
    this.id = id;
  }

  /// Returns an id that no other broadcast of the application has.
  public final long id() {
    return id;
  }

  /// @throws KilnException if the broadcast was destroyed, or its data can't be fetched
  public abstract T value();

  /// Drops the executors' copies; the next read fetches the value again.
  public abstract void unpersist();

  /// Drops all copies, the driver's too; later reads fail.
  public abstract void destroy();

  @Override
  public final String toString() {
    return "Broadcast(" + id + ")";
  }
}
