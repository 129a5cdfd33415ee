package io.kiln.executor.protocol;

import io.kiln.network.transport.NodeAddress;

/// What an executor asks its driver. The endpoint is [ExecutorProtocol#DRIVER].
public sealed interface DriverQuestion {

  /// What to run for. The answer is an [ApplicationDescription].
  record DescribeApplication() implements DriverQuestion {}

  /// The executor is ready for tasks. Answered by an [Accepted], or refused if nobody waits for it.
  ///
  /// @param slots how many tasks it runs at once
  /// @param data where its blocks and map outputs are to be had
  record RegisterExecutor(String executorId, String host, int slots, NodeAddress data)
      implements DriverQuestion {}

  record Accepted() {}

  /// Asks for a class that no jar has: one that was defined in the shell, or one on the class path
  /// of a driver that was not started by `spark-submit`. Answered by a [FoundClass].
  ///
  /// @param resource as `com/example/Name.class`
  record FindClass(String resource) implements DriverQuestion {}

  /// @param bytes empty if the driver has no such class either
  record FoundClass(byte[] bytes) {}
}
