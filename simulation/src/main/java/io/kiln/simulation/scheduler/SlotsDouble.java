package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
import io.kiln.protocol.ExecutorMessage.ForgetStage;
import io.kiln.protocol.ExecutorMessage.KillTasks;
import io.kiln.protocol.ExecutorMessage.LaunchTasks;
import io.kiln.protocol.ExecutorMessage.ReturnTasks;
import io.kiln.protocol.ExecutorMessage.TaskBatch;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.protocol.TaskFailure;
import io.kiln.protocol.TaskUpdate;
import io.kiln.protocol.TaskUpdate.CouldNotFetch;
import io.kiln.protocol.TaskUpdate.Failed;
import io.kiln.protocol.TaskUpdate.Returned;
import io.kiln.protocol.TaskUpdate.Succeeded;
import io.kiln.scheduler.task.TaskMessage.TasksUpdated;
import io.kiln.simulation.scheduler.SimulatedCluster.MissingInput;
import io.kiln.simulation.scheduler.SimulatedCluster.Reading;
import io.kiln.simulation.scheduler.SimulatedStage.Input;
import io.kiln.simulation.scheduler.SimulatedStage.PersistedInput;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The part of an executor that pretends to run tasks: they take random times, and some fail. It
/// throws if it gets more tasks than it may have.
final class SlotsDouble {
  private static final Duration LONGEST_TASK = Duration.ofMillis(40);
  private static final Duration LONGEST_BATCH = Duration.ofMillis(5);

  /// From the executor's own timer.
  record TaskOver(long incarnation, long taskId) implements Message {}

  /// From the executor's own timer.
  record SendUpdates(long incarnation) implements Message {}

  /// @param stored the partition of the persisted RDD that it reads, if it was there
  /// @param hasRead whether it has read all its input at its start
  /// @param direct what it has read of its shuffles
  /// @param behind what it has read of those behind the persisted RDD
  private record Task(
      long taskId,
      SimulatedStage work,
      int stageAttempt,
      int partition,
      Optional<Provenance> stored,
      boolean hasRead,
      Reading direct,
      Reading behind) {
    Task(long taskId, SimulatedStage work, int stageAttempt, int partition) {
      this(
          taskId,
          work,
          stageAttempt,
          partition,
          Optional.empty(),
          false,
          Reading.NOTHING,
          Reading.NOTHING);
    }

    Task find(Optional<Provenance> block, boolean readsAtOnce) {
      return new Task(taskId, work, stageAttempt, partition, block, readsAtOnce, direct, behind);
    }

    Task read(int half, SimulatedCluster cluster) {
      List<Input> unstored =
          stored.isPresent()
              ? List.of()
              : work.persisted().map(PersistedInput::behind).orElse(List.of());
      return new Task(
          taskId,
          work,
          stageAttempt,
          partition,
          stored,
          hasRead,
          direct.and(cluster.read(work.reads(), half)),
          behind.and(cluster.read(unstored, half)));
    }
  }

  private final String executorId;
  private final Address scheduler;
  private final int slots;
  private final int mostTasks;
  private final SimulatedCluster cluster;
  private final ArrayDeque<Task> queued = new ArrayDeque<>();
  private final TreeMap<Long, Task> running = new TreeMap<>();
  private final Set<Long> killed = new HashSet<>();
  private final List<TaskUpdate> updates = new ArrayList<>();

  SlotsDouble(
      String executorId, Address scheduler, int slots, int mostTasks, SimulatedCluster cluster) {
    this.executorId = executorId;
    this.scheduler = scheduler;
    this.slots = slots;
    this.mostTasks = mostTasks;
    this.cluster = cluster;
  }

  ShuffleFiles files() {
    return cluster.files();
  }

  int slots() {
    return slots;
  }

  /// Running, queued, or not yet reported.
  int tasks() {
    return running.size() + queued.size() + updates.size();
  }

  void launch(LaunchTasks launch, Turn turn) {
    for (TaskBatch batch : launch.batches()) {
      for (int i = 0; i < batch.taskIds().length; i++) {
        SimulatedStage work = (SimulatedStage) batch.binary();
        queued.add(new Task(batch.taskIds()[i], work, batch.stageAttempt(), batch.partitions()[i]));
      }
    }
    cluster.isUp(executorId);
    if (tasks() > mostTasks) {
      throw new AssertionError(
          "executor " + executorId + " has " + tasks() + " tasks, but may have " + mostTasks);
    }
    fillSlots(launch.incarnation(), turn);
  }

  private void fillSlots(long incarnation, Turn turn) {
    while (running.size() < slots && !queued.isEmpty()) {
      Task task = started(queued.remove(), turn.random().nextBoolean());
      running.put(task.taskId(), task);
      long nanos = 1 + turn.random().nextLong(LONGEST_TASK.toNanos() >> turn.random().nextInt(12));
      turn.startTimer(
          task.taskId(), Duration.ofNanos(nanos), new TaskOver(incarnation, task.taskId()));
    }
  }

  void giveBack(ReturnTasks back, Turn turn) {
    for (int left = back.atMost(); left > 0 && !queued.isEmpty(); left--) {
      report(back.incarnation(), new Returned(queued.removeLast().taskId()), turn);
    }
  }

  private Task started(Task task, boolean readsAtOnce) {
    cluster.blocks().taskStarted(task.taskId());
    Optional<Provenance> stored =
        task.work()
            .persisted()
            .flatMap(input -> cluster.blocks().find(input.rdd().id(), task.partition()));
    Task begun = task.find(stored, readsAtOnce).read(0, cluster);
    return readsAtOnce ? begun.read(1, cluster) : begun;
  }

  void kill(KillTasks kill, Turn turn) {
    for (long taskId : kill.taskIds()) {
      killed.add(taskId);
      boolean wasQueued = queued.removeIf(task -> task.taskId() == taskId);
      boolean dies =
          running.containsKey(taskId)
              && turn.random().nextDouble() >= cluster.mishaps().ignoresKill();
      if (wasQueued || dies) {
        running.remove(taskId);
        turn.cancelTimer(taskId);
        report(kill.incarnation(), new Failed(taskId, failure(TaskFailure.Kind.KILLED)), turn);
      }
    }
    fillSlots(kill.incarnation(), turn);
  }

  void forget(ForgetStage forget) {
    boolean has = running.values().stream().anyMatch(task -> isOf(task, forget));
    if (has || queued.stream().anyMatch(task -> isOf(task, forget))) {
      throw new AssertionError("executor " + executorId + " still has tasks, but got " + forget);
    }
  }

  private static boolean isOf(Task task, ForgetStage forget) {
    return task.work().stageId() == forget.stageId()
        && task.stageAttempt() == forget.stageAttempt();
  }

  void taskOver(TaskOver over, Turn turn) {
    Task task = running.remove(over.taskId());
    if (task == null) {
      return; // it was killed at that very moment
    }
    report(over.incarnation(), outcome(task, turn), turn);
    fillSlots(over.incarnation(), turn);
  }

  /// The process has died.
  void die() {
    running.clear();
    queued.clear();
    updates.clear();
    cluster.died(executorId);
  }

  private TaskUpdate outcome(Task begun, Turn turn) {
    SimulatedStage work = begun.work();
    Task task = begun.hasRead() ? begun : begun.read(1, cluster);
    Optional<MissingInput> missing = task.behind().missing().or(task.direct()::missing);
    if (missing.isPresent()) {
      MissingInput input = missing.get();
      return new CouldNotFetch(
          task.taskId(), input.shuffleId(), input.mapPartition(), input.executorId(), "it is gone");
    }
    Provenance behind = task.behind().provenance();
    boolean hasComputed = work.persisted().isPresent() && task.stored().isEmpty();
    if (hasComputed && !killed.contains(task.taskId())) {
      cluster.store(
          executorId, work.persisted().get().rdd(), task.partition(), task.taskId(), behind);
    }
    double luck = turn.random().nextDouble();
    if (luck < cluster.mishaps().fatal()) {
      return new Failed(task.taskId(), failure(TaskFailure.Kind.FATAL));
    }
    if (luck < cluster.mishaps().fatal() + cluster.mishaps().exception()) {
      return new Failed(task.taskId(), failure(TaskFailure.Kind.EXCEPTION));
    }
    Provenance read = task.direct().provenance().and(task.stored().orElse(behind));
    if (work.shuffleId() >= 0) {
      Provenance written =
          work.indeterminate()
              ? read.with(work.shuffleId(), task.partition(), cluster.nextVersion())
              : read;
      cluster.files().write(executorId, work.shuffleId(), task.partition(), task.taskId(), written);
    }
    return new Succeeded(
        task.taskId(), new SimulatedResult(work.stageId(), task.partition(), read), 50_000);
  }

  /// Some updates leave at once, others together.
  private void report(long incarnation, TaskUpdate update, Turn turn) {
    updates.add(update);
    if (turn.random().nextBoolean()) {
      send(incarnation, turn);
    } else {
      turn.startTimer(SendUpdates.class, LONGEST_BATCH, new SendUpdates(incarnation));
    }
  }

  void send(long incarnation, Turn turn) {
    if (!updates.isEmpty()) {
      turn.send(
          scheduler,
          new TasksUpdated(new TaskUpdates(executorId, incarnation, List.copyOf(updates))));
      updates.clear();
    }
  }

  private static TaskFailure failure(TaskFailure.Kind kind) {
    return new TaskFailure(kind, "example.Boom", "a simulated failure", "", Optional.empty());
  }
}
