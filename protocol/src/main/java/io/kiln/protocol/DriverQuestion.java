package io.kiln.protocol;

import io.kiln.network.transport.NodeAddress;
import java.util.List;

/// What an executor asks its driver. The endpoint is [ExecutorProtocol#DRIVER].
public sealed interface DriverQuestion {

  /// What to run for. The answer is an [ExecutorSetup].
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

  /// Answered by a [MapOutputLocations].
  record LocateMapOutputs(int shuffleId) implements DriverQuestion {}

  /// Another executor has copies of map outputs of this one. Answered, as [LocateMapOutputs], by
  /// where the outputs of the shuffle are then.
  record MoveOutputs(String executorId, String to, int shuffleId, int[] mapPartitions)
      implements DriverQuestion {}

  /// Asks who has a block. Answered by a [Holders].
  record LocateBlock(BlockId id) implements DriverQuestion {}

  /// Asks for the executors that stay. Answered by a [Holders].
  record LocatePeers() implements DriverQuestion {}

  record Holders(List<DataHolder> holders) {}

  /// @param bytes empty if the driver has no such class either
  record FoundClass(byte[] bytes) {}
}
