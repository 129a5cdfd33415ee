package io.kiln.driver.cluster;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Message;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.NodeAddress;
import io.kiln.protocol.ExecutorCommand;
import io.kiln.protocol.ExecutorCommand.DropRdd;
import io.kiln.protocol.ExecutorCommand.DumpThreads;
import io.kiln.protocol.ExecutorCommand.RunTasks;
import io.kiln.protocol.ExecutorCommand.StageComes;
import io.kiln.protocol.ExecutorCommand.ThreadDump;
import io.kiln.protocol.ExecutorMessage;
import io.kiln.protocol.ExecutorMessage.Decommission;
import io.kiln.protocol.ExecutorMessage.ForgetStage;
import io.kiln.protocol.ExecutorMessage.LaunchTasks;
import io.kiln.protocol.ExecutorMessage.TaskBatch;
import io.kiln.protocol.ExecutorProtocol;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.protocol.StageKey;
import io.kiln.protocol.TaskFailure;
import io.kiln.protocol.TaskUpdate;
import io.kiln.protocol.TaskUpdate.Failed;
import io.kiln.runtime.Edge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/// One executor as the task machine's messages reach it: a stage's work goes there once, then a few
/// bytes a task. [#deliver] is called on the machines' thread, the rest by any.
final class RemoteExecutor implements Edge {
  /// More in serialised partitions goes in another message.
  private static final int MAX_SPLIT_BYTES = 8 << 20;

  private final String id;
  private final long incarnation;
  private final Link link;
  private final NodeAddress data;
  private final LargeStages largeStages;
  private final Consumer<TaskUpdates> scheduler;
  private final Set<StageKey> sent = new HashSet<>();
  private volatile boolean leaving;

  RemoteExecutor(
      String id,
      long incarnation,
      Link link,
      NodeAddress data,
      LargeStages largeStages,
      Consumer<TaskUpdates> scheduler) {
    this.id = id;
    this.incarnation = incarnation;
    this.link = link;
    this.data = data;
    this.largeStages = largeStages;
    this.scheduler = scheduler;
  }

  String id() {
    return id;
  }

  long incarnation() {
    return incarnation;
  }

  Link link() {
    return link;
  }

  /// Where its blocks and results are to be had.
  NodeAddress data() {
    return data;
  }

  /// Whether it is about to go, so that nobody gives it anything to keep.
  boolean isLeaving() {
    return leaving;
  }

  void send(ExecutorCommand command) {
    link.send(ExecutorProtocol.EXECUTOR, command);
  }

  /// @return done when its blocks of the RDD are gone
  CompletableFuture<Record> dropRdd(int rddId, Duration within) {
    return link.ask(ExecutorProtocol.EXECUTOR, new DropRdd(rddId), within);
  }

  /// @throws KilnException if it doesn't answer
  String threadDump(Duration within) throws InterruptedException {
    try {
      return ((ThreadDump) link.ask(ExecutorProtocol.EXECUTOR, new DumpThreads(), within).get())
          .text();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof KilnException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  @Override
  public void deliver(List<Message> batch) {
    List<Message> commands = new ArrayList<>(batch.size());
    for (Message message : batch) {
      switch ((ExecutorMessage) message) {
        case LaunchTasks launch -> launch.batches().forEach(tasks -> add(tasks, commands));
        case ForgetStage forget -> {
          StageKey stage = new StageKey(forget.stageId(), forget.stageAttempt());
          sent.remove(stage);
          largeStages.forget(stage, id);
          commands.add(forget);
        }
        case Decommission decommission -> {
          leaving = true;
          commands.add(decommission);
        }
        case ExecutorMessage other -> commands.add(other);
      }
    }
    send(commands);
  }

  private void add(TaskBatch batch, List<Message> commands) {
    SerializedStage stage = (SerializedStage) batch.binary();
    StageKey key = new StageKey(batch.stageId(), batch.stageAttempt());
    if (sent.add(key)) {
      boolean large = stage.work().length > ExecutorProtocol.MAX_STAGE_BYTES_IN_MESSAGE;
      if (large) {
        largeStages.keep(key, stage, id);
      }
      commands.add(
          new StageComes(
              batch.stageId(),
              batch.stageAttempt(),
              large ? new byte[0] : stage.work(),
              stage.shared(),
              batch.properties()));
    }
    int begin = 0;
    long bytes = 0;
    for (int i = 0; i < batch.partitions().length; i++) {
      int length = stage.split(batch.partitions()[i]).length;
      if (i > begin && bytes + length > MAX_SPLIT_BYTES) {
        commands.add(part(batch, stage, begin, i));
        begin = i;
        bytes = 0;
      }
      bytes += length;
    }
    commands.add(part(batch, stage, begin, batch.partitions().length));
  }

  private static RunTasks part(TaskBatch batch, SerializedStage stage, int begin, int end) {
    List<byte[]> splits = new ArrayList<>();
    if (!stage.splits().isEmpty()) {
      for (int i = begin; i < end; i++) {
        splits.add(stage.split(batch.partitions()[i]));
      }
    }
    boolean whole = begin == 0 && end == batch.taskIds().length;
    return new RunTasks(
        batch.stageId(),
        batch.stageAttempt(),
        whole ? batch.taskIds() : Arrays.copyOfRange(batch.taskIds(), begin, end),
        whole ? batch.partitions() : Arrays.copyOfRange(batch.partitions(), begin, end),
        whole ? batch.attempts() : Arrays.copyOfRange(batch.attempts(), begin, end),
        splits);
  }

  private void send(List<Message> commands) {
    try {
      link.send(ExecutorProtocol.EXECUTOR, commands);
    } catch (KilnException tooLarge) {
      sendOneByOne(commands); // of the list none was sent
    }
  }

  /// Fails the tasks that can't be told of. Without any other command the executor would go on with
  /// what it must not: then it is given up.
  private void sendOneByOne(List<Message> commands) {
    Map<StageKey, KilnException> untold = new HashMap<>();
    for (Message command : commands) {
      KilnException refused =
          command instanceof RunTasks tasks
              ? untold.get(new StageKey(tasks.stageId(), tasks.stageAttempt()))
              : null;
      try {
        if (refused == null) {
          link.send(ExecutorProtocol.EXECUTOR, command);
        }
      } catch (KilnException tooLarge) {
        refused = tooLarge;
      }
      if (refused == null) {
        continue;
      }
      switch (command) {
        case RunTasks tasks -> refuse(tasks, refused);
        case StageComes stage -> {
          StageKey key = new StageKey(stage.stageId(), stage.stageAttempt());
          sent.remove(key);
          untold.put(key, refused);
        }
        default -> link.close();
      }
    }
  }

  private void refuse(RunTasks tasks, KilnException tooLarge) {
    TaskFailure failure =
        new TaskFailure(
            TaskFailure.Kind.FATAL,
            "",
            "it can't be sent to an executor: " + tooLarge.getMessage(),
            "",
            Optional.empty());
    List<TaskUpdate> updates = new ArrayList<>();
    for (long taskId : tasks.taskIds()) {
      updates.add(new Failed(taskId, failure));
    }
    scheduler.accept(new TaskUpdates(id, incarnation, updates));
  }
}
