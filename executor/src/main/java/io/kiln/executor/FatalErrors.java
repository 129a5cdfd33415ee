package io.kiln.executor;

import io.kiln.protocol.ExecutorExitCode;

/// What happens to the process when it can't be trusted any more. Given by whoever owns the
/// process: an engine embedded in a user's JVM must not end it.
@FunctionalInterface
public interface FatalErrors {
  /// The exit code after an error that nobody caught.
  int UNCAUGHT = ExecutorExitCode.UNCAUGHT;

  /// The exit code after memory ran out for good.
  int OUT_OF_MEMORY = ExecutorExitCode.OUT_OF_MEMORY;

  /// The exit code after a class became unusable that the JVM or the engine needs.
  int CLASSES_BROKEN = ExecutorExitCode.CLASSES_BROKEN;

  /// For an engine embedded in a JVM that isn't its own: the task fails, the JVM lives on.
  FatalErrors EMBEDDED = (_, _) -> {};

  /// Ends the process, or returns if it may not; then only the task fails.
  void handle(int exitCode, Throwable error);
}
