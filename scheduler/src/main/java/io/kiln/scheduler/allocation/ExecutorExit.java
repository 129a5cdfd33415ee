package io.kiln.scheduler.allocation;

import io.kiln.protocol.ExecutorExitCode;

/// How an executor's process ended, as whoever watches it knows.
///
/// It decides whether the tasks that ran there count a failure: a task that kills each executor
/// that it is given to must end its job, while one whose machine went away must not.
public sealed interface ExecutorExit {
  /// For people; completes "executor 1 …".
  String describe();

  /// Whether what ran in the executor is to blame.
  boolean isByApplication();

  /// It ended with this code; 128 and more stand for the signal `code - 128`.
  ///
  /// A process that ends by itself does so for something that ran in it, unless its code says
  /// otherwise. SIGKILL, SIGTERM and the like come from outside; the signals of a crash (SIGSEGV,
  /// SIGABRT, …) come from native code.
  ///
  /// @param lastWords what it said last on its standard error, on one line; empty if nothing or not
  ///     known
  record Exited(int exitCode, String lastWords) implements ExecutorExit {
    public Exited(int exitCode) {
      this(exitCode, "");
    }

    @Override
    public String describe() {
      String how = ExecutorExitCode.describe(exitCode);
      return lastWords.isEmpty() ? how : how + ": " + lastWords;
    }

    @Override
    public boolean isByApplication() {
      return ExecutorExitCode.isByApplication(exitCode);
    }
  }

  /// Its container used more memory than it may and was ended for that: YARN's exit statuses -103
  /// and -104, Kubernetes' `OOMKilled`. The exit code alone (137) would not tell.
  ///
  /// @param limit as the cluster manager puts it, for people
  record MemoryLimitExceeded(String limit) implements ExecutorExit {
    @Override
    public String describe() {
      return "used more memory than its container may: " + limit;
    }

    @Override
    public boolean isByApplication() {
      return true;
    }
  }

  /// The cluster took it away: its node is gone, it was preempted, evicted, or killed by an
  /// administrator.
  ///
  /// @param why for people
  record TakenAway(String why) implements ExecutorExit {
    @Override
    public String describe() {
      return "was taken away: " + why;
    }

    @Override
    public boolean isByApplication() {
      return false;
    }
  }
}
