package io.kiln.scheduler.allocation;

import io.kiln.base.machine.Message;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/// What the allocation machine asks of whoever starts and stops executors' processes.
///
/// That one names executors, and reports each that exists by `ExecutorLaunching` and what became of
/// it by `LaunchFailed` or `ProcessExited`.
public sealed interface LaunchRequest extends Message {

  /// From now on there should be so many. What is missing is started; nothing is stopped. Replaces
  /// the request before, and comes again whenever one that counted is gone.
  ///
  /// @param target how many the application wants in the end, and where
  /// @param now how many there should be at present: fewer than the target while executors fail
  /// @param going those that are still there, but count no longer
  record RequestExecutors(ExecutorTarget target, int now, Set<String> going)
      implements LaunchRequest {
    public RequestExecutors {
      going = Collections.unmodifiableSet(new LinkedHashSet<>(going));
    }
  }

  /// The executor has said that it goes, and may: nothing is wrong with it. It counts no longer.
  record ReleaseExecutor(String executorId, String why) implements LaunchRequest {}

  /// The executor is to end, and counts no longer. Comes again for one that goes on talking; for an
  /// executor that nobody knows there is nothing to do.
  ///
  /// @param failed whether something is wrong with it, which its log may tell
  record StopExecutor(String executorId, String why, boolean failed) implements LaunchRequest {}
}
