package io.kiln.scheduler;

import static io.kiln.scheduler.Fixtures.ADDRESSES;
import static io.kiln.scheduler.Fixtures.CLIENT;
import static io.kiln.scheduler.Fixtures.DAG;
import static io.kiln.scheduler.Fixtures.NOTHING;
import static io.kiln.scheduler.Fixtures.TASKS;
import static io.kiln.scheduler.Fixtures.job;
import static io.kiln.scheduler.Fixtures.mapStage;
import static io.kiln.scheduler.Fixtures.resultStage;
import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.RecordedTurn;
import io.kiln.protocol.ExecutorMessage.ForgetStage;
import io.kiln.protocol.ExecutorMessage.LaunchTasks;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.protocol.TaskUpdate;
import io.kiln.protocol.TaskUpdate.Succeeded;
import io.kiln.scheduler.dag.DagMessage;
import io.kiln.scheduler.dag.DagScheduler;
import io.kiln.scheduler.dag.JobEvent.JobSucceeded;
import io.kiln.scheduler.dag.JobEvent.MapTasksSucceeded;
import io.kiln.scheduler.dag.JobEvent.PartitionResult;
import io.kiln.scheduler.dag.JobEvent.PartitionsComputed;
import io.kiln.scheduler.task.TaskMessage;
import io.kiln.scheduler.task.TaskMessage.ExecutorRegistered;
import io.kiln.scheduler.task.TaskMessage.TasksUpdated;
import io.kiln.scheduler.task.TaskScheduler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Both machines, wired to each other and to an executor that does everything at once.
class BothMachinesTest {
  private static final Address EXECUTOR = new Address("driver", "executor");

  private final DagScheduler dag = new DagScheduler(ADDRESSES, SchedulerOptions.DEFAULT);
  private final TaskScheduler tasks = new TaskScheduler(ADDRESSES, SchedulerOptions.DEFAULT);
  private final List<String> ran = new ArrayList<>();
  private final List<Message> toClient = new ArrayList<>();
  private final List<Message> toExecutor = new ArrayList<>();

  @Test
  void aJobOfTwoStagesRunsEachTaskOnceAndParentsFirst() {
    deliver(TASKS, new ExecutorRegistered("driver", 1, EXECUTOR, "localhost", 2));
    deliver(DAG, job(0, mapStage(0, 0, 3), resultStage(1, 2, 0)));

    assertThat(ran).containsExactlyInAnyOrder("0:0", "0:1", "0:2", "1:0", "1:1");
    assertThat(ran.subList(0, 3)).allMatch(task -> task.startsWith("0:"));
    assertThat(toClient).endsWith(new JobSucceeded(0));
    assertThat(indexesDelivered()).containsExactlyInAnyOrder(0, 1);
    assertThat(mapResultsDelivered()).isEqualTo(3);
    assertThat(toExecutor).contains(new ForgetStage(1, 0, 0), new ForgetStage(1, 1, 0));
  }

  @Test
  void aThousandTasksAreEachRunOnce() {
    deliver(TASKS, new ExecutorRegistered("driver", 1, EXECUTOR, "localhost", 2));
    deliver(DAG, job(0, resultStage(0, 1000)));

    assertThat(ran).hasSize(1000).doesNotHaveDuplicates();
    assertThat(indexesDelivered()).hasSize(1000).doesNotHaveDuplicates();
    assertThat(toClient).endsWith(new JobSucceeded(0));
  }

  private List<Integer> indexesDelivered() {
    return toClient.stream()
        .filter(PartitionsComputed.class::isInstance)
        .flatMap(message -> ((PartitionsComputed) message).results().stream())
        .map(PartitionResult::index)
        .toList();
  }

  private int mapResultsDelivered() {
    return toClient.stream()
        .filter(MapTasksSucceeded.class::isInstance)
        .mapToInt(message -> ((MapTasksSucceeded) message).results().size())
        .sum();
  }

  private void deliver(Address to, Message message) {
    RecordedTurn turn = new RecordedTurn();
    switch (message) {
      case DagMessage toDag -> dag.handle(toDag, turn);
      case TaskMessage toTasks -> tasks.handle(toTasks, turn);
      case LaunchTasks launch -> run(launch, turn);
      default -> (to.equals(CLIENT) ? toClient : toExecutor).add(message);
    }
    turn.sent.forEach(sent -> deliver(sent.to(), sent.message()));
  }

  private void run(LaunchTasks launch, RecordedTurn turn) {
    List<TaskUpdate> updates = new ArrayList<>();
    launch
        .batches()
        .forEach(
            batch -> {
              for (int i = 0; i < batch.taskIds().length; i++) {
                ran.add(batch.stageId() + ":" + batch.partitions()[i]);
                updates.add(new Succeeded(batch.taskIds()[i], NOTHING, 1_000));
              }
            });
    turn.send(TASKS, new TasksUpdated(new TaskUpdates("driver", launch.incarnation(), updates)));
  }
}
