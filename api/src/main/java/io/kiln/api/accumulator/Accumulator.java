package io.kiln.api.accumulator;

import io.kiln.api.TaskContext;
import java.io.Serial;
import java.io.Serializable;
import java.util.Optional;

/// A value that tasks add to and the driver reads. What a task adds reaches the driver when the
/// task succeeds, and counts once for each partition of an action; in a transformation it counts
/// once for each time that the transformation is computed.
///
/// A task works on a copy of its own, which starts at zero. Subclass it for other kinds of sums; a
/// subclass is serialisable. One thread at a time adds and merges; for those who watch the task,
/// another may meanwhile call [#isZero] and [#copy]. If those can't bear that and throw, nobody
/// sees how far the task is, and nothing else comes of it.
///
/// @param <IN> what is added
/// @param <OUT> what is read
public abstract class Accumulator<IN, OUT> implements Serializable {
  private static final long UNREGISTERED = -1;

  private long id = UNREGISTERED;
  private String name;
  private transient boolean inDriver = true;

  /// Whether nothing has been added.
  public abstract boolean isZero();

  /// A new accumulator of the same kind with the same value.
  public abstract Accumulator<IN, OUT> copy();

  public abstract void reset();

  public abstract void add(IN value);

  /// Adds what `other` holds.
  public abstract void merge(Accumulator<IN, OUT> other);

  public abstract OUT value();

  /// Unique in the application.
  ///
  /// @throws IllegalStateException before it is registered with a context
  public final long id() {
    if (id == UNREGISTERED) {
      throw new IllegalStateException(
          "register the accumulator with the context before it is used");
    }
    return id;
  }

  public final Optional<String> name() {
    return Optional.ofNullable(name);
  }

  public final boolean isRegistered() {
    return id != UNREGISTERED;
  }

  /// For the engine: gives the accumulator its identity.
  public final void registered(long newId, Optional<String> newName) {
    if (id != UNREGISTERED) {
      throw new IllegalStateException("accumulator " + id + " is registered already");
    }
    id = newId;
    name = newName.orElse(null);
  }

  /// Whether this is the driver's instance rather than a task's copy.
  public final boolean isInDriver() {
    return inDriver;
  }

  /// A copy at zero travels to a task, not what the driver has summed up; a task's copy travels
  /// back as it is.
  @Serial
  protected final Object writeReplace() {
    if (!inDriver || id == UNREGISTERED) {
      return this;
    }
    Accumulator<IN, OUT> travelling = copy();
    travelling.reset();
    travelling.id = id;
    travelling.name = name;
    return travelling;
  }

  /// Runs once the subclass's fields have been read too.
  @Serial
  protected final Object readResolve() {
    inDriver = false;
    TaskContext.current().ifPresent(task -> task.runtime().accumulatorArrived(this));
    return this;
  }
}
