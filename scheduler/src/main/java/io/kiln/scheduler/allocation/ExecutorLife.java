package io.kiln.scheduler.allocation;

/// Where an executor is between its start and its end.
///
/// ```
///   ExecutorLaunching,      ExecutorRegistered          LinkLost
///   or any later word
///  ──────────────────► Starting ──────────► Registered ─────────► Unreachable
///                         │                     │                      │
///                         │ LaunchFailed,       │ exited, silent       │ exited, or nobody
///                         │ exited, or took     │                      │ says why
///                         │ too long            │                      │
///                         └─────────────────────┴──────────┬───────────┘
///              no longer wanted: from Starting, Registered ┴──► (gone)
/// ```
///
/// What is gone does not come back: an id is used once. An executor that is asked for and does not
/// exist yet has no id: it is the difference between the target and these.
sealed interface ExecutorLife {

  /// Whether it counts towards the target.
  default boolean isExpected() {
    return true;
  }

  /// It exists: its process runs, or is being started.
  record Starting() implements ExecutorLife {}

  /// @param failuresBefore how many in a row had failed when it came
  /// @param leaving whether it gets no more tasks and is about to go: it counts no longer, and
  ///     however it ends is no failure
  record Registered(
      long incarnation, int slots, long sinceNanos, int failuresBefore, boolean leaving)
      implements ExecutorLife {
    @Override
    public boolean isExpected() {
      return !leaving;
    }

    Registered onItsWayOut() {
      return new Registered(incarnation, slots, sinceNanos, failuresBefore, true);
    }
  }

  /// Its link is gone, and whoever watches its process may still say why.
  record Unreachable(Registered registered, String why) implements ExecutorLife {
    @Override
    public boolean isExpected() {
      return false;
    }
  }
}
