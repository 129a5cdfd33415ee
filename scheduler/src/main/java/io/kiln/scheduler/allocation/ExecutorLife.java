package io.kiln.scheduler.allocation;

/// Where an executor is between the request for it and its end.
///
/// ```
///              ExecutorLaunching        ExecutorRegistered         LinkLost
///   Requested ──────────────────► Starting ─────────────► Registered ──────► Unreachable
///       │ └──────────────────────────│──────────────────►  │                   │
///       │ LaunchFailed               │ exited, or took     │ exited, silent    │ exited, or nobody
///       │                            │ too long            │                   │ says why
///       └────────────────────────────┴──────────┬──────────┴───────────────────┘
///                 no longer wanted: from all ───┘──► (gone)
/// ```
///
/// What is gone does not come back: an id is used once.
sealed interface ExecutorLife {

  /// Whether it counts towards the target.
  default boolean isExpected() {
    return true;
  }

  record Requested() implements ExecutorLife {}

  /// Its process runs.
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
