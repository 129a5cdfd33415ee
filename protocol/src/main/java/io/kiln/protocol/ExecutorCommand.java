package io.kiln.protocol;

import io.kiln.base.machine.Message;
import java.util.List;
import java.util.Map;

/// What a driver tells the process of an executor, besides [ExecutorMessage]s. The endpoint is
/// [ExecutorProtocol#EXECUTOR].
public sealed interface ExecutorCommand extends Message {

  /// Tasks of a stage attempt will come. Sent once, before them.
  ///
  /// @param work serialised; empty if it is too large for a message: then it is a content, asked
  ///     for by [ContentRequest.FetchStage]
  /// @param shared whether tasks may use the same objects
  record StageComes(
      int stageId, int stageAttempt, byte[] work, boolean shared, Map<String, String> properties)
      implements ExecutorCommand {}

  /// Tasks of a stage attempt; the arrays and the list are parallel.
  ///
  /// @param splits serialised partitions, each empty if it is only a number; none at all if every
  ///     one is
  record RunTasks(
      int stageId,
      int stageAttempt,
      long[] taskIds,
      int[] partitions,
      int[] attempts,
      List<byte[]> splits)
      implements ExecutorCommand {}

  /// All that the application has brought so far; needed by the tasks that come after this.
  record UseResources(List<SharedResource> resources) implements ExecutorCommand {}

  record RemoveRdd(int rddId) implements ExecutorCommand {}

  record RemoveShuffle(int shuffleId) implements ExecutorCommand {}

  record RemoveBroadcast(long broadcastId) implements ExecutorCommand {}

  record SetLogLevel(String level) implements ExecutorCommand {}

  /// Whether somebody wants to know what tasks use.
  record WatchTasks(boolean watched) implements ExecutorCommand {}

  /// Ends the executor's process.
  record Stop(String why) implements ExecutorCommand {}

  /// Asks to remove an RDD's blocks; answered by [Dropped] when they are gone.
  record DropRdd(int rddId) {}

  record Dropped() {}

  /// Asks for the stacks of all threads; answered by a [ThreadDump].
  record DumpThreads() {}

  record ThreadDump(String text) {}
}
