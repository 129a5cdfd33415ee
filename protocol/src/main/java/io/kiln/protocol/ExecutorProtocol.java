package io.kiln.protocol;

import io.kiln.api.listener.KilnEvent;
import io.kiln.api.listener.TaskMetrics;
import io.kiln.base.machine.Payload;
import io.kiln.network.codec.RecordCodec;
import java.lang.invoke.MethodHandles;
import java.util.function.UnaryOperator;

/// The closed registry of what goes between a driver and its executors, and the names of the
/// endpoints.
public final class ExecutorProtocol {
  /// At the driver: takes reports on tasks and executors.
  public static final String SCHEDULER = "scheduler";

  /// At the driver: answers [DriverQuestion]s.
  public static final String DRIVER = "driver";

  /// At an executor: takes commands, answers [ExecutorCommand.DumpThreads].
  public static final String EXECUTOR = "executor";

  /// Larger serialised stages are fetched as contents. Less than the smallest limit of messages.
  public static final int MAX_STAGE_BYTES_IN_MESSAGE = 512 << 10;

  private ExecutorProtocol() {}

  /// The process name of an executor.
  public static String processOf(String executorId) {
    return "executor-" + executorId;
  }

  /// @param storage adds what the storages of these processes say to each other
  public static RecordCodec codec(UnaryOperator<RecordCodec.Builder> storage) {
    RecordCodec.Builder registry = RecordCodec.builder(MethodHandles.lookup()).open(Payload.class);
    return storage.apply(register(registry)).build();
  }

  /// Numbers 1 to 99 are this protocol's, and those of records that were the storages' before.
  private static RecordCodec.Builder register(RecordCodec.Builder registry) {
    return registry
        .add(1, DriverQuestion.DescribeApplication.class)
        .add(2, ExecutorSetup.class)
        .add(3, DriverQuestion.RegisterExecutor.class)
        .add(4, DriverQuestion.Accepted.class)
        .add(5, DriverQuestion.FindClass.class)
        .add(6, DriverQuestion.FoundClass.class)
        .add(7, DriverQuestion.LocateMapOutputs.class)
        .add(8, DriverQuestion.LocateBlock.class)
        .add(9, DriverQuestion.LocatePeers.class)
        .add(10, DriverQuestion.Holders.class)
        .add(11, DriverQuestion.MoveOutputs.class)
        .add(20, ExecutorCommand.StageComes.class)
        .add(21, ExecutorCommand.RunTasks.class)
        .add(22, ExecutorMessage.KillTasks.class)
        .add(23, ExecutorMessage.ForgetStage.class)
        .add(24, ExecutorCommand.UseResources.class)
        .add(25, ExecutorCommand.RemoveRdd.class)
        .add(26, ExecutorCommand.RemoveShuffle.class)
        .add(27, ExecutorCommand.RemoveBroadcast.class)
        .add(28, ExecutorCommand.SetLogLevel.class)
        .add(29, ExecutorCommand.Stop.class)
        .add(30, ExecutorCommand.DumpThreads.class)
        .add(31, ExecutorCommand.ThreadDump.class)
        .add(32, ExecutorCommand.WatchTasks.class)
        .add(33, ExecutorMessage.Decommission.class)
        .add(34, ExecutorMessage.Drained.class)
        .add(35, ExecutorMessage.ReturnTasks.class)
        .add(36, ExecutorMessage.DropStored.class)
        .add(37, ExecutorCommand.DropRdd.class)
        .add(38, ExecutorCommand.Dropped.class)
        .add(40, ExecutorReport.TaskUpdates.class)
        .add(41, TaskUpdate.Succeeded.class)
        .add(42, TaskUpdate.Failed.class)
        .add(43, TaskUpdate.CouldNotFetch.class)
        .add(59, TaskUpdate.Returned.class)
        .add(44, TaskResult.Sent.class)
        .add(45, TaskResult.Kept.class)
        .add(46, SentException.class)
        .add(47, ExecutorReport.Heartbeat.class)
        .add(48, ExecutorReport.BlocksChanged.class)
        .add(49, ExecutorReport.TasksProgress.class)
        .add(50, TaskMetrics.class)
        .add(51, TaskMetrics.Times.class)
        .add(52, TaskMetrics.ShuffleRead.class)
        .add(53, TaskMetrics.Blocks.class)
        .add(54, TaskMetrics.ShuffleWrite.class)
        .add(55, TaskMetrics.Spill.class)
        .add(56, ExecutorReport.TaskProgress.class)
        .add(57, ExecutorReport.SentValue.class)
        .add(58, KilnEvent.TaskInfo.class)
        .add(63, ExecutorReport.Decommissioned.class)
        .add(64, ExecutorReport.Leaves.class)
        .add(60, ContentRequest.FetchStage.class)
        .add(61, ContentRequest.FetchResource.class)
        .add(62, ContentRequest.FetchResult.class)
        .add(100, DataHolder.class)
        .add(101, MapOutputLocations.class)
        .add(104, BlockId.RddBlock.class)
        .add(105, BlockId.BroadcastBlock.class)
        .add(108, BlockId.BroadcastPiece.class);
  }
}
