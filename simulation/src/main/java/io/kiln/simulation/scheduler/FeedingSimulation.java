package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Payload;
import io.kiln.base.machine.Turn;
import io.kiln.protocol.ExecutorMessage.LaunchTasks;
import io.kiln.protocol.ExecutorMessage.ReturnTasks;
import io.kiln.protocol.ExecutorMessage.TaskBatch;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.protocol.TaskUpdate;
import io.kiln.protocol.TaskUpdate.Returned;
import io.kiln.protocol.TaskUpdate.Succeeded;
import io.kiln.scheduler.QueueTargets;
import io.kiln.scheduler.SchedulerAddresses;
import io.kiln.scheduler.SchedulerOptions;
import io.kiln.scheduler.dag.DagMessage;
import io.kiln.scheduler.dag.JobOptions;
import io.kiln.scheduler.dag.StageGraph.Locality;
import io.kiln.scheduler.task.TaskMessage;
import io.kiln.scheduler.task.TaskMessage.ExecutorRegistered;
import io.kiln.scheduler.task.TaskMessage.SubmitTaskSet;
import io.kiln.scheduler.task.TaskMessage.TasksUpdated;
import io.kiln.scheduler.task.TaskScheduler;
import io.kiln.simulation.Faults;
import io.kiln.simulation.SimulatedWorld;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Whether executors in other processes always have something to do: the task machine with
/// executors that take and report tasks as real ones do, over links that take their time. Computing
/// costs no time here, neither the driver's nor the executors' own.
public final class FeedingSimulation {
  private static final Address TASKS = new Address("driver", "tasks");
  private static final Address DAG = new Address("driver", "dag");

  /// What is simulated.
  ///
  /// @param slots of each executor
  /// @param taskSets that compete, each with tasks to give all the time
  /// @param tasks of each task set
  /// @param longestDelay of a message one way; half of it on average
  public record Load(
      int executors, int slots, int taskSets, TaskLengths tasks, Duration longestDelay) {}

  /// How long the tasks of a task set run, in the order of their partitions.
  public record TaskLengths(List<Duration> ofPartitions) {
    /// Tasks of one length.
    ///
    /// @param busy how long they keep a slot busy, one after the other
    public static TaskLengths same(Duration task, Duration busy) {
      return new TaskLengths(Collections.nCopies((int) busy.dividedBy(task), task));
    }

    /// First these, then the others.
    public TaskLengths then(TaskLengths others) {
      List<Duration> all = new ArrayList<>(ofPartitions);
      all.addAll(others.ofPartitions());
      return new TaskLengths(all);
    }

    private Duration total() {
      return ofPartitions.stream().reduce(Duration.ZERO, Duration::plus);
    }
  }

  private FeedingSimulation() {}

  /// @return the part of the slots' time in which they ran tasks, 0 to 1
  public static double busyPart(Load load, QueueTargets queue) {
    SimulatedWorld world =
        new SimulatedWorld(1, new Faults(0, _ -> false, load.longestDelay()), false);
    SchedulerAddresses addresses = new SchedulerAddresses(DAG, TASKS, List.of());
    world.add(
        TASKS,
        TaskMessage.class,
        new TaskScheduler(addresses, SchedulerOptions.DEFAULT.withQueue(queue)));
    world.add(DAG, DagMessage.class, (_, _) -> {});
    List<FedExecutor> executors = new ArrayList<>();
    for (int i = 0; i < load.executors(); i++) {
      FedExecutor executor = new FedExecutor(Integer.toString(i), load.slots(), load.tasks());
      executors.add(executor);
      world.add(executor.address, Message.class, executor);
      world.inject(
          Duration.ZERO,
          TASKS,
          new ExecutorRegistered(executor.id, 1, executor.address, "host-" + i, load.slots()));
    }
    for (int stage = 0; stage < load.taskSets(); stage++) {
      world.inject(Duration.ZERO, TASKS, taskSet(stage, load.tasks().ofPartitions().size()));
    }
    Duration work = load.tasks().total().multipliedBy(load.taskSets());
    world.run(work.multipliedBy(10), (_, _) -> {});
    long end = executors.stream().mapToLong(executor -> executor.lastEndNanos).max().orElseThrow();
    if (executors.stream().mapToInt(executor -> executor.ran).sum()
        != load.taskSets() * load.tasks().ofPartitions().size()) {
      throw new AssertionError("not every task has run once");
    }
    return (double) work.toNanos() / ((long) load.executors() * load.slots() * end);
  }

  private static SubmitTaskSet taskSet(int stage, int tasks) {
    return new SubmitTaskSet(
        stage,
        0,
        IntStream.range(0, tasks).toArray(),
        stage,
        new Nothing(),
        Locality.ANYWHERE,
        new JobOptions(Map.of()));
  }

  private record Nothing() implements Payload {}

  private record QueuedTask(long taskId, Duration length) {}

  private record TaskOver(QueuedTask task) implements Message {}

  private record FlushDue() implements Message {}

  /// Reports as the executor's update buffer does: when as many updates wait as there are tasks
  /// left, when there are many, or a millisecond after the last report.
  private static final class FedExecutor implements Machine<Message> {
    private static final int FULL = 512;
    private static final Duration LONGEST_WAIT = Duration.ofMillis(1);

    private final String id;
    private final Address address;
    private final int slots;
    private final TaskLengths lengths;
    private final ArrayDeque<QueuedTask> queued = new ArrayDeque<>();
    private List<TaskUpdate> updates = new ArrayList<>();
    private int running;
    private int ran;
    private long lastFlushNanos;
    private long lastEndNanos;

    FedExecutor(String id, int slots, TaskLengths lengths) {
      this.id = id;
      this.address = new Address("executor-" + id, "executor");
      this.slots = slots;
      this.lengths = lengths;
    }

    @Override
    public void handle(Message message, Turn turn) {
      switch (message) {
        case LaunchTasks launch -> {
          for (TaskBatch batch : launch.batches()) {
            for (int i = 0; i < batch.taskIds().length; i++) {
              Duration length = lengths.ofPartitions().get(batch.partitions()[i]);
              queued.add(new QueuedTask(batch.taskIds()[i], length));
            }
          }
          fillSlots(turn);
        }
        case ReturnTasks back -> {
          for (int left = back.atMost(); left > 0 && !queued.isEmpty(); left--) {
            report(new Returned(queued.removeLast().taskId()), turn);
          }
        }
        case TaskOver(QueuedTask task) -> {
          running--;
          ran++;
          lastEndNanos = turn.nowNanos();
          fillSlots(turn);
          report(new Succeeded(task.taskId(), new Nothing(), task.length().toNanos()), turn);
        }
        case FlushDue _ -> flush(turn);
        default -> {} // stages to forget
      }
    }

    private void fillSlots(Turn turn) {
      while (running < slots && !queued.isEmpty()) {
        QueuedTask task = queued.remove();
        running++;
        turn.startTimer(task.taskId(), task.length(), new TaskOver(task));
      }
    }

    private void report(TaskUpdate update, Turn turn) {
      updates.add(update);
      long sinceFlush = turn.nowNanos() - lastFlushNanos;
      if (updates.size() >= queued.size()
          || updates.size() >= FULL
          || sinceFlush >= LONGEST_WAIT.toNanos()) {
        flush(turn);
      } else if (updates.size() == 1) {
        turn.startTimer(FlushDue.class, LONGEST_WAIT.minusNanos(sinceFlush), new FlushDue());
      }
    }

    private void flush(Turn turn) {
      if (!updates.isEmpty()) {
        turn.send(TASKS, new TasksUpdated(new TaskUpdates(id, 1, updates)));
        updates = new ArrayList<>();
        lastFlushNanos = turn.nowNanos();
      }
    }
  }
}
