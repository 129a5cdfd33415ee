package io.kiln.executor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/// What a task was asked to do when it fails and when it ends. Thread-safe: a thread that computes
/// for the task may add to it.
///
/// The last added runs first. One that throws doesn't keep the others from running, and fails the
/// task. One that is added by another runs after that; one that comes when all have run, at once.
final class EndActions {
  // guarded by this
  private Deque<Consumer<Throwable>> onFailure; // made when needed: most tasks register nothing
  private Deque<Runnable> onCompletion;
  private Throwable failure;
  private boolean failureTold;
  private boolean completed;

  void onFailure(Consumer<Throwable> action) {
    synchronized (this) {
      if (!failureTold) {
        onFailure = onFailure == null ? new ArrayDeque<>() : onFailure;
        onFailure.push(action);
        return;
      }
    }
    action.accept(failure);
  }

  void onCompletion(Runnable action) {
    synchronized (this) {
      if (!completed) {
        onCompletion = onCompletion == null ? new ArrayDeque<>() : onCompletion;
        onCompletion.push(action);
        return;
      }
    }
    action.run();
  }

  /// Runs what was registered for a failure, then for the end. A failure may come of the end
  /// itself.
  ///
  /// @param cause why the task failed; `null` if it did not
  /// @return why it failed, now that the actions have run; `null` if it did not
  Throwable run(Throwable cause) {
    Throwable outcome = cause == null ? null : tellFailure(cause);
    for (Runnable action = nextOnCompletion(); action != null; action = nextOnCompletion()) {
      Throwable thrown = thrownBy(action);
      if (thrown != null) {
        outcome = outcome == null ? tellFailure(thrown) : joined(outcome, thrown);
      }
    }
    return outcome;
  }

  private Throwable tellFailure(Throwable cause) {
    Throwable outcome = cause;
    Consumer<Throwable> action = nextOnFailure(cause);
    while (action != null) {
      Consumer<Throwable> told = action;
      outcome = joined(outcome, thrownBy(() -> told.accept(cause)));
      action = nextOnFailure(cause);
    }
    return outcome;
  }

  private synchronized Consumer<Throwable> nextOnFailure(Throwable cause) {
    failure = cause;
    failureTold = onFailure == null || onFailure.isEmpty();
    return failureTold ? null : onFailure.pop();
  }

  private synchronized Runnable nextOnCompletion() {
    completed = onCompletion == null || onCompletion.isEmpty();
    return completed ? null : onCompletion.pop();
  }

  @SuppressWarnings("CatchingUnchecked") // whatever a user's action throws fails this task only
  private static Throwable thrownBy(Runnable action) {
    try {
      action.run();
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  /// @param second `null` for none
  static Throwable joined(Throwable first, Throwable second) {
    if (first == null) {
      return second;
    }
    if (second != null && first != second) {
      first.addSuppressed(second);
    }
    return first;
  }
}
