package io.kiln.executor.process;

import io.kiln.protocol.ExecutorExitCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// With which exit code this process ends. The first reason to end is the one that counts.
/// Thread-safe.
final class ProcessEnd {
  /// The driver said that the work is done.
  static final int DONE = 0;

  /// The executor could not start.
  static final int FAILED = 1;

  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();

  void workDone() {
    exitCode.complete(DONE);
  }

  /// Without its driver, an executor has nothing to do.
  ///
  /// @param driver for people
  void driverLost(String driver, String why) {
    if (!exitCode.isDone()) {
      System.err.println("the executor ends: the driver at " + driver + " is gone: " + why);
      exitCode.complete(ExecutorExitCode.DRIVER_LOST);
    }
  }

  /// The process ends, whoever has asked for that. The link to the driver closes with it, which is
  /// no loss of the driver.
  void ending() {
    exitCode.complete(DONE);
  }

  /// Whether nobody is left to clean up behind this process.
  boolean isForLossOfDriver() {
    return exitCode.getNow(DONE) == ExecutorExitCode.DRIVER_LOST;
  }

  /// Waits until there is a reason to end.
  ///
  /// @return the exit code
  int await() throws InterruptedException {
    try {
      return exitCode.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // nobody completes it that way
    }
  }
}
