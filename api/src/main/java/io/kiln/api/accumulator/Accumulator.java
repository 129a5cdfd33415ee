package io.kiln.api.accumulator;

import io.kiln.api.KilnException;
import io.kiln.api.TaskContext;
import io.kiln.api.spi.CurrentTask;
import java.io.Serial;
import java.io.Serializable;
import java.util.Optional;

/// A value that tasks add to and the driver reads. What a task adds reaches the driver when the
/// task succeeds. In an action it counts once for each partition. In a transformation it counts
/// each time that the transformation is computed.
///
/// A task works on a copy of its own, which starts at zero. Several tasks may find the same
/// instance, in a static field, a variable of the shell or a broadcast. Then [#ofTask] finds the
/// task's copy.
///
/// Subclass this class for other kinds of sums. A subclass is serialisable. One thread at a time
/// adds and merges. Another thread may call [#isZero] and [#copy] meanwhile, to report how far the
/// task is. If they throw then, that report lacks the accumulator, and nothing else happens.
///
/// @param <IN> what is added
/// @param <OUT> what is read
public abstract class Accumulator<IN, OUT> implements Serializable {
  private static final long UNREGISTERED = -1;

  /// Threads have positive ids.
  private static final long NO_TASK = 0;

  private static final long TASK_ENDED = -1;

  /// Of what tells who made it: it was read rather than made.
  private static final long READ = 0;

  private static final long OUTSIDE_OF_TASKS = -1;

  private long id = UNREGISTERED;
  private String name;
  private transient boolean inDriver = true;

  /// By whom it was made: a task has its attempt's id plus one. What a class has made while it was
  /// initialised is no task's.
  @SuppressWarnings("this-escape") // whoever watches looks when the task ends
  private transient long maker = makerHere();

  /// The thread of the task whose copy this is, until the task ends.
  private transient long taskThreadId = NO_TASK;

  private long makerHere() {
    TaskContext task = TaskContext.current().orElse(null);
    if (task == null) {
      return MadeAsPart.isHere() ? READ : OUTSIDE_OF_TASKS;
    }
    if (LostAccumulators.isMadeByClass()) {
      LostAccumulators.watch(this);
      return OUTSIDE_OF_TASKS;
    }
    return task.taskAttemptId() + 1;
  }

  /// Returns whether nothing has been added.
  public abstract boolean isZero();

  /// Returns a new accumulator of the same kind with the same value.
  public abstract Accumulator<IN, OUT> copy();

  public abstract void reset();

  public abstract void add(IN value);

  /// Adds what `other` holds.
  public abstract void merge(Accumulator<IN, OUT> other);

  public abstract OUT value();

  /// Returns an id that no other accumulator of the application has.
  ///
  /// @throws IllegalStateException if the accumulator is not registered with a context yet
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

  /// Returns whether this is the driver's instance rather than a task's copy.
  public final boolean isInDriver() {
    return inDriver;
  }

  /// Returns the copy of the task that runs on this thread. Outside of tasks, it returns the
  /// accumulator itself, and so it does in the task that has made it without registering it.
  ///
  /// The accumulators that come with Kiln call this themselves. For others, write
  /// `errors.ofTask().add(…)` where a task's function does not hold the accumulator itself but
  /// finds it somewhere.
  ///
  /// @throws KilnException `ACCUMULATOR_OUTSIDE_TASK` on a thread of an executor that runs no task,
  ///     and `ACCUMULATOR_NOT_REGISTERED` in a task that finds one that is not registered in its
  ///     process, as what is added there would be lost
  public final Accumulator<IN, OUT> ofTask() {
    return Thread.currentThread().threadId() == taskThreadId ? this : addedToElsewhere();
  }

  private Accumulator<IN, OUT> addedToElsewhere() {
    if (id == UNREGISTERED) {
      requireOwn();
      return this;
    }
    Accumulator<IN, OUT> found = ofCurrentTask();
    if (found == this && isRegistered() && !inDriver && taskThreadId == NO_TASK) {
      throw new KilnException(
          "ACCUMULATOR_OUTSIDE_TASK",
          KilnException.Kind.USER,
          "accumulator %d is shared by tasks, and can't tell which one a thread adds for that runs"
                  .formatted(id)
              + " none; call ofTask() on the task's own thread, and add to what that gives");
    }
    return found;
  }

  /// What a task makes itself, it may use as it likes.
  private void requireOwn() {
    TaskContext task = TaskContext.current().orElse(null);
    if (task != null && maker != READ && maker != task.taskAttemptId() + 1) {
      throw LostAccumulators.unregistered(this);
    }
  }

  /// Whether something was added here that no task's copy has; it is at zero afterwards.
  final boolean takeLost() {
    try {
      if ((inDriver && isRegistered()) || isZero()) {
        return false;
      }
      reset();
      return true;
    } catch (RuntimeException e) {
      return false; // another task is adding to it, and looks at it when it ends
    }
  }

  /// For the engine: whether it calls [#ofTask] itself when something is added.
  public final boolean asksForTask() {
    return getClass().getPackage() == Accumulator.class.getPackage();
  }

  /// Same as [#ofTask], for reading.
  final Accumulator<IN, OUT> asRead() {
    return Thread.currentThread().threadId() == taskThreadId ? this : ofCurrentTask();
  }

  @SuppressWarnings("unchecked") // what has its identity is a copy of it
  private Accumulator<IN, OUT> ofCurrentTask() {
    TaskContext task = id == UNREGISTERED ? null : TaskContext.current().orElse(null);
    if (task == null) {
      return this;
    }
    Accumulator<?, ?> there = task.runtime().accumulator(id).orElse(null);
    if (there != null) {
      return (Accumulator<IN, OUT>) there;
    }
    Accumulator<IN, OUT> arriving = atZero();
    arriving.inDriver = false;
    arriving.arriveAt(task);
    return arriving;
  }

  private void arriveAt(TaskContext task) {
    taskThreadId = Thread.currentThread().threadId();
    task.runtime().accumulatorArrived(this);
  }

  /// For the engine: the task whose copy it is ends. Called by the task's thread.
  public final void taskEnded() {
    taskThreadId = TASK_ENDED;
  }

  /// A copy at zero travels to a task, not what the driver has summed up; a task's copy travels
  /// back as it is.
  @Serial
  protected final Object writeReplace() {
    if (id != UNREGISTERED) {
      return inDriver ? atZero() : this;
    }
    if (maker == OUTSIDE_OF_TASKS) {
      throw LostAccumulators.unregistered(this);
    }
    return this;
  }

  /// Results are merged meanwhile.
  private synchronized Accumulator<IN, OUT> atZero() {
    Accumulator<IN, OUT> copy = MadeAsPart.during(this::copy);
    copy.reset();
    copy.id = id;
    copy.name = name;
    return copy;
  }

  /// Runs once the subclass's fields have been read too.
  @Serial
  protected final Object readResolve() {
    inDriver = false;
    if (isRegistered()) { // else it is a part of something else
      TaskContext.current().ifPresent(this::arriveAt);
      if (CurrentTask.isSuspended()) {
        LostAccumulators.watch(this);
      }
    }
    return this;
  }
}
