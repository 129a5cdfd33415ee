package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
import io.kiln.scheduler.task.ExecutorMessage.ForgetStage;
import io.kiln.scheduler.task.ExecutorMessage.KillTasks;
import io.kiln.scheduler.task.ExecutorMessage.LaunchTasks;
import io.kiln.scheduler.task.ExecutorMessage.TaskBatch;
import io.kiln.scheduler.task.TaskFailure;
import io.kiln.scheduler.task.TaskMessage.CouldNotFetch;
import io.kiln.scheduler.task.TaskMessage.ExecutorGone;
import io.kiln.scheduler.task.TaskMessage.ExecutorRegistered;
import io.kiln.scheduler.task.TaskMessage.Failed;
import io.kiln.scheduler.task.TaskMessage.Succeeded;
import io.kiln.scheduler.task.TaskMessage.TaskUpdate;
import io.kiln.scheduler.task.TaskMessage.TaskUpdates;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// An executor that only pretends to work: tasks take random times, and some fail. It dies and
/// comes back as a new incarnation. It throws if it gets more tasks than it may have.
final class ExecutorDouble implements Machine<Message> {
  private static final Duration REGISTRATION_INTERVAL = Duration.ofMillis(500);
  private static final Duration LONGEST_TASK = Duration.ofMillis(40);

  /// The executor's process dies and is started again.
  record Crash() implements Message {}

  private record Register() implements Message {}

  private record TaskOver(long incarnation, long taskId) implements Message {}

  private record Task(long taskId, StageWork work, int stageAttempt, int partition) {}

  private final String id;
  private final Address self;
  private final Address scheduler;
  private final int slots;
  private final int mostTasks;
  private final SimulatedCluster cluster;
  private final ArrayDeque<Task> queued = new ArrayDeque<>();
  private final TreeMap<Long, Task> running = new TreeMap<>();
  private long incarnation = 1;

  ExecutorDouble(String id, Address scheduler, int slots, int mostTasks, SimulatedCluster cluster) {
    this.id = id;
    this.self = new Address("executor-" + id, "executor");
    this.scheduler = scheduler;
    this.slots = slots;
    this.mostTasks = mostTasks;
    this.cluster = cluster;
  }

  static Message start() {
    return new Register();
  }

  Address address() {
    return self;
  }

  /// Running or queued.
  int tasks() {
    return running.size() + queued.size();
  }

  @Override
  public void handle(Message message, Turn turn) {
    switch (message) {
      case Register _ -> register(turn);
      case LaunchTasks launch when launch.incarnation() == incarnation -> launch(launch, turn);
      case KillTasks kill when kill.incarnation() == incarnation -> kill(kill, turn);
      case TaskOver over when over.incarnation() == incarnation -> taskOver(over, turn);
      case Crash _ -> crash(turn);
      case ForgetStage forget when forget.incarnation() == incarnation -> forget(forget);
      default -> {} // speaks to an earlier incarnation
    }
  }

  private void register(Turn turn) {
    turn.send(scheduler, new ExecutorRegistered(id, incarnation, self, "host-" + id, slots));
    turn.startTimer(Register.class, REGISTRATION_INTERVAL, new Register());
  }

  private void launch(LaunchTasks launch, Turn turn) {
    for (TaskBatch batch : launch.batches()) {
      for (int i = 0; i < batch.taskIds().length; i++) {
        queued.add(
            new Task(
                batch.taskIds()[i],
                (StageWork) batch.binary(),
                batch.stageAttempt(),
                batch.partitions()[i]));
      }
    }
    if (tasks() > mostTasks) {
      throw new AssertionError(
          "executor " + id + " has " + tasks() + " tasks, but may have " + mostTasks);
    }
    fillSlots(turn);
  }

  private void fillSlots(Turn turn) {
    while (running.size() < slots && !queued.isEmpty()) {
      Task task = queued.remove();
      running.put(task.taskId(), task);
      long nanos = 1 + turn.random().nextLong(LONGEST_TASK.toNanos() >> turn.random().nextInt(12));
      turn.startTimer(
          task.taskId(), Duration.ofNanos(nanos), new TaskOver(incarnation, task.taskId()));
    }
  }

  private void kill(KillTasks kill, Turn turn) {
    for (long taskId : kill.taskIds()) {
      boolean wasQueued = queued.removeIf(task -> task.taskId() == taskId);
      boolean dies =
          running.containsKey(taskId)
              && turn.random().nextDouble() >= cluster.mishaps().ignoresKill();
      if (wasQueued || dies) {
        running.remove(taskId);
        turn.cancelTimer(taskId);
        report(turn, new Failed(taskId, failure(TaskFailure.Kind.KILLED)));
      }
    }
    fillSlots(turn);
  }

  private void forget(ForgetStage forget) {
    boolean has = running.values().stream().anyMatch(task -> isOf(task, forget));
    if (has || queued.stream().anyMatch(task -> isOf(task, forget))) {
      throw new AssertionError("executor " + id + " still has tasks, but got " + forget);
    }
  }

  private static boolean isOf(Task task, ForgetStage forget) {
    return task.work().stageId() == forget.stageId()
        && task.stageAttempt() == forget.stageAttempt();
  }

  private void taskOver(TaskOver over, Turn turn) {
    Task task = running.remove(over.taskId());
    report(turn, outcome(task, turn));
    fillSlots(turn);
  }

  private TaskUpdate outcome(Task task, Turn turn) {
    Optional<TaskUpdate> lost =
        cluster.missingInput(task.work()).map(input -> notFetched(task, input));
    if (lost.isPresent()) {
      return lost.get();
    }
    double luck = turn.random().nextDouble();
    if (luck < cluster.mishaps().fatal()) {
      return new Failed(task.taskId(), failure(TaskFailure.Kind.FATAL));
    }
    if (luck < cluster.mishaps().fatal() + cluster.mishaps().exception()) {
      return new Failed(task.taskId(), failure(TaskFailure.Kind.EXCEPTION));
    }
    if (task.work().shuffleId() >= 0) {
      cluster.files().write(id, task.work().shuffleId(), task.partition());
    }
    return new Succeeded(
        task.taskId(), new TaskResult(task.work().stageId(), task.partition()), 50_000);
  }

  private static TaskUpdate notFetched(Task task, SimulatedCluster.MissingInput input) {
    return new CouldNotFetch(
        task.taskId(), input.shuffleId(), input.mapPartition(), input.executorId(), "it is gone");
  }

  private void report(Turn turn, TaskUpdate update) {
    turn.send(scheduler, new TaskUpdates(id, incarnation, List.of(update)));
  }

  private void crash(Turn turn) {
    running.keySet().forEach(turn::cancelTimer);
    running.clear();
    queued.clear();
    cluster.files().loseAll(id);
    if (turn.random().nextBoolean()) { // else only the newer incarnation tells
      turn.send(scheduler, new ExecutorGone(id, incarnation, "crashed", false));
    }
    incarnation++;
    turn.startTimer(
        Register.class, Duration.ofMillis(turn.random().nextInt(1_000)), new Register());
  }

  private static TaskFailure failure(TaskFailure.Kind kind) {
    return new TaskFailure(kind, "example.Boom", "a simulated failure", "", Optional.empty());
  }
}
