package io.kiln.scheduler;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Payload;
import io.kiln.protocol.TaskFailure;
import io.kiln.scheduler.dag.DagMessage.SubmitJob;
import io.kiln.scheduler.dag.JobOptions;
import io.kiln.scheduler.dag.StageGraph;
import io.kiln.scheduler.dag.StageGraph.Inputs;
import io.kiln.scheduler.dag.StageGraph.Locality;
import io.kiln.scheduler.dag.StageGraph.Stage;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// Values that the machines' tests start from.
public final class Fixtures {
  public static final Address DAG = new Address("driver", "dag");
  public static final Address TASKS = new Address("driver", "tasks");
  public static final Address ALLOCATION = new Address("driver", "allocation");
  public static final Address WATCHER = new Address("driver", "status");
  public static final Address CLIENT = new Address("driver", "client");
  public static final SchedulerAddresses ADDRESSES =
      new SchedulerAddresses(DAG, TASKS, List.of(WATCHER));
  public static final Payload NOTHING = new Payload() {};
  public static final JobOptions NO_OPTIONS = new JobOptions(Map.of());

  private Fixtures() {}

  public static Stage mapStage(int stageId, int shuffleId, int partitions, Integer... parents) {
    return new Stage(
        stageId,
        shuffleId,
        partitions,
        Inputs.ofShuffles(List.of(parents)),
        "map at Test.java:1",
        NOTHING,
        Locality.ANYWHERE);
  }

  public static Stage resultStage(int stageId, int partitions, Integer... parents) {
    return new Stage(
        stageId,
        StageGraph.NO_SHUFFLE,
        partitions,
        Inputs.ofShuffles(List.of(parents)),
        "collect at Test.java:2",
        NOTHING,
        Locality.ANYWHERE);
  }

  /// The stage, spared some shuffles because what is behind a persisted RDD is stored.
  public static Stage sparing(Stage stage, int persistedRddId, Integer... spared) {
    return new Stage(
        stage.stageId(),
        stage.shuffleId(),
        stage.numPartitions(),
        new Inputs(stage.inputs().needed(), List.of(spared), List.of(persistedRddId)),
        stage.name(),
        stage.binary(),
        stage.locality(),
        stage.indeterminate());
  }

  /// Asks for every partition.
  public static SubmitJob job(int jobId, Stage... stages) {
    return job(jobId, Map.of(), stages);
  }

  public static SubmitJob job(int jobId, Map<String, String> properties, Stage... stages) {
    int partitions = Arrays.asList(stages).getLast().numPartitions();
    return new SubmitJob(
        jobId,
        new StageGraph(List.of(stages)),
        IntStream.range(0, partitions).toArray(),
        new JobOptions(properties),
        CLIENT);
  }

  public static TaskFailure failure(TaskFailure.Kind kind) {
    return new TaskFailure(kind, "example.Boom", "it broke", "", Optional.empty());
  }
}
