package io.kiln.scheduler.allocation;

import io.kiln.base.machine.Message;

/// What the allocation machine asks of whoever starts and stops executors' processes.
public sealed interface LaunchRequest extends Message {
  String executorId();

  /// Answered by `ExecutorLaunching` or `LaunchFailed`.
  record LaunchExecutor(String executorId) implements LaunchRequest {}

  /// The executor has said that it goes, and may: nothing is wrong with it.
  record ReleaseExecutor(String executorId, String why) implements LaunchRequest {}

  /// The executor is to end, and a request for it that waits is to be taken back. Comes again for
  /// one that goes on talking; for an executor that nobody knows there is nothing to do.
  ///
  /// @param failed whether something is wrong with it, which its log may tell
  record StopExecutor(String executorId, String why, boolean failed) implements LaunchRequest {}
}
