package io.kiln.protocol;

import io.kiln.base.machine.Payload;
import java.util.Optional;

/// Why a task failed.
///
/// @param kind decides whether the failure counts and whether the task is tried again
/// @param className of the exception
/// @param message one line; may be empty
/// @param stackTrace the exception's, as text, with the frames of the user's code
/// @param exception the exception itself, if it could be passed on
public record TaskFailure(
    Kind kind, String className, String message, String stackTrace, Optional<Payload> exception) {

  /// Kinds of failures.
  public enum Kind {
    /// The user's code, or ours on its behalf, threw. Counts; tried again.
    EXCEPTION(true, true),
    /// Stack or heap exhausted in this task. Counts; tried again.
    RESOURCE_EXHAUSTED(true, true),
    /// What no retry mends: the result is too large or can't be serialised. Fails the stage at
    /// once.
    FATAL(true, false),
    /// Ended on request. Does not count.
    KILLED(false, true),
    /// The executor died under it through no fault of the task. Does not count.
    EXECUTOR_LOST(false, true),
    /// The executor ended under it by itself, as by a lack of memory, and this may be the task that
    /// made it. Counts; tried again.
    EXECUTOR_CRASHED(true, true);

    private final boolean counts;
    private final boolean retried;

    Kind(boolean counts, boolean retried) {
      this.counts = counts;
      this.retried = retried;
    }

    /// Whether it counts towards the limit of failures of a task.
    public boolean counts() {
      return counts;
    }

    /// Whether another attempt may succeed.
    public boolean retried() {
      return retried;
    }
  }
}
