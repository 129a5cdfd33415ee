package io.kiln.executor.process;

import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.machine.Message;
import io.kiln.executor.Executor;
import io.kiln.executor.StageBinary;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.Receiver;
import io.kiln.protocol.ExecutorCommand.RemoveBroadcast;
import io.kiln.protocol.ExecutorCommand.RemoveRdd;
import io.kiln.protocol.ExecutorCommand.RemoveShuffle;
import io.kiln.protocol.ExecutorCommand.RunTasks;
import io.kiln.protocol.ExecutorCommand.SetLogLevel;
import io.kiln.protocol.ExecutorCommand.StageComes;
import io.kiln.protocol.ExecutorCommand.Stop;
import io.kiln.protocol.ExecutorCommand.UseResources;
import io.kiln.protocol.ExecutorCommand.WatchTasks;
import io.kiln.protocol.ExecutorMessage;
import io.kiln.protocol.ExecutorMessage.Decommission;
import io.kiln.protocol.ExecutorMessage.Drained;
import io.kiln.protocol.ExecutorMessage.ForgetStage;
import io.kiln.protocol.ExecutorMessage.LaunchTasks;
import io.kiln.protocol.ExecutorMessage.TaskBatch;
import io.kiln.protocol.ExecutorProtocol;
import io.kiln.protocol.SharedResource;
import io.kiln.protocol.StageKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/// Takes what the driver sends to this executor. Called by one thread at a time, in the order in
/// which the driver sent; never blocks.
final class DriverCommands implements Receiver {

  /// What is done besides running tasks. None of it may block.
  interface Housekeeping {
    void removeRdd(int rddId);

    void removeShuffle(int shuffleId);

    void removeBroadcast(long broadcastId);

    void setLogLevel(String level);

    void watchTasks(boolean watched);

    void decommission();

    void drained();

    void stop(String why);
  }

  /// Fetches the work of a stage that was too large for a message.
  @FunctionalInterface
  interface LargeStages {
    byte[] fetch(int stageId, int stageAttempt) throws Exception;
  }

  private record KnownStage(StageBinary.Received binary, Map<String, String> properties) {}

  private final Executor executor;
  private final long incarnation;
  private final Resources resources;
  private final ApplicationClasses classes;
  private final LargeStages largeStages;
  private final Housekeeping housekeeping;
  private final Map<StageKey, KnownStage> stages = new HashMap<>();

  DriverCommands(
      Executor executor,
      long incarnation,
      Resources resources,
      ApplicationClasses classes,
      LargeStages largeStages,
      Housekeeping housekeeping) {
    this.executor = executor;
    this.incarnation = incarnation;
    this.resources = resources;
    this.classes = classes;
    this.largeStages = largeStages;
    this.housekeeping = housekeeping;
  }

  @Override
  public void receive(Link from, Message message) {
    switch (message) {
      case RunTasks tasks -> run(tasks);
      case StageComes stage -> expect(stage);
      case ForgetStage forget -> {
        stages.remove(new StageKey(forget.stageId(), forget.stageAttempt()));
        executor.receive(forget);
      }
      case Decommission _ -> housekeeping.decommission();
      case Drained _ -> housekeeping.drained();
      case ExecutorMessage other -> executor.receive(other);
      case UseResources(List<SharedResource> all) -> resources.want(all);
      case RemoveRdd(int rddId) -> housekeeping.removeRdd(rddId);
      case RemoveShuffle(int shuffleId) -> housekeeping.removeShuffle(shuffleId);
      case RemoveBroadcast(long broadcastId) -> housekeeping.removeBroadcast(broadcastId);
      case SetLogLevel(String level) -> housekeeping.setLogLevel(level);
      case WatchTasks(boolean watched) -> housekeeping.watchTasks(watched);
      case Stop(String why) -> housekeeping.stop(why);
      default ->
          throw new IllegalArgumentException(
              ExecutorProtocol.EXECUTOR + " takes no " + message.getClass().getSimpleName());
    }
  }

  private void expect(StageComes stage) {
    List<SharedResource> needed = resources.wanted();
    Callable<byte[]> work =
        stage.work().length > 0
            ? stage::work
            : () -> largeStages.fetch(stage.stageId(), stage.stageAttempt());
    StageBinary.Received binary =
        new StageBinary.Received(
            work,
            stage.shared(),
            () -> {
              resources.ensure(needed);
              return null;
            },
            classes);
    stages.put(
        new StageKey(stage.stageId(), stage.stageAttempt()),
        new KnownStage(binary, stage.properties()));
  }

  private void run(RunTasks tasks) {
    KnownStage stage = stages.get(new StageKey(tasks.stageId(), tasks.stageAttempt()));
    if (stage == null) {
      throw new IllegalStateException(
          "tasks of stage " + tasks.stageId() + "." + tasks.stageAttempt() + " came before it");
    }
    for (int i = 0; i < tasks.splits().size(); i++) {
      stage.binary().addPartition(tasks.partitions()[i], tasks.splits().get(i));
    }
    executor.receive(
        new LaunchTasks(
            incarnation,
            List.of(
                new TaskBatch(
                    tasks.stageId(),
                    tasks.stageAttempt(),
                    stage.binary(),
                    stage.properties(),
                    tasks.taskIds(),
                    tasks.partitions(),
                    tasks.attempts()))));
  }
}
