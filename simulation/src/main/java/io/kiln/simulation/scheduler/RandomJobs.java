package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Address;
import io.kiln.scheduler.dag.DagMessage.SubmitJob;
import io.kiln.scheduler.dag.JobOptions;
import io.kiln.scheduler.dag.StageGraph;
import io.kiln.scheduler.dag.StageGraph.Inputs;
import io.kiln.scheduler.dag.StageGraph.Locality;
import io.kiln.scheduler.dag.StageGraph.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Jobs over one random lineage: map stages that read earlier ones, shared from job to job.
final class RandomJobs {
  private static final int MOST_PARTITIONS = 12;

  private final RandomGenerator random;
  private final Address client;
  private final boolean withLocality;
  private final List<Stage> mapStages = new ArrayList<>();
  private int nextJobId;
  private int nextStageId;

  RandomJobs(RandomGenerator random, Address client, boolean withLocality) {
    this.random = random;
    this.client = client;
    this.withLocality = withLocality;
    int shuffles = 1 + random.nextInt(6);
    for (int shuffleId = 0; shuffleId < shuffles; shuffleId++) {
      mapStages.add(stage(shuffleId, random.nextInt(MOST_PARTITIONS), someParents()));
    }
  }

  int numShuffles() {
    return mapStages.size();
  }

  SubmitJob next() {
    List<Integer> parents = someParents();
    return job(parents, stage(StageGraph.NO_SHUFFLE, random.nextInt(MOST_PARTITIONS), parents));
  }

  /// A job that reads every shuffle.
  SubmitJob everything() {
    List<Integer> parents = IntStream.range(0, mapStages.size()).boxed().toList();
    Stage result = stage(StageGraph.NO_SHUFFLE, 1, parents);
    return new SubmitJob(
        nextJobId++, graph(parents, result), new int[] {0}, new JobOptions(Map.of()), client);
  }

  private SubmitJob job(List<Integer> parents, Stage result) {
    return new SubmitJob(
        nextJobId++,
        graph(parents, result),
        somePartitions(result.numPartitions()),
        options(),
        client);
  }

  private StageGraph graph(List<Integer> parents, Stage result) {
    TreeSet<Integer> shuffles = new TreeSet<>();
    parents.forEach(shuffleId -> addWithAncestors(shuffleId, shuffles));
    List<Stage> stages = new ArrayList<>();
    shuffles.forEach(shuffleId -> stages.add(mapStages.get(shuffleId)));
    stages.add(result);
    return new StageGraph(stages);
  }

  private Stage stage(int shuffleId, int numPartitions, List<Integer> parents) {
    int stageId = nextStageId++;
    boolean indeterminate =
        shuffleId != StageGraph.NO_SHUFFLE
            && (random.nextInt(4) == 0
                || parents.stream().anyMatch(id -> mapStages.get(id).indeterminate()));
    List<StageWork.Input> inputs =
        parents.stream()
            .map(id -> new StageWork.Input(id, mapStages.get(id).numPartitions()))
            .toList();
    return new Stage(
        stageId,
        shuffleId,
        numPartitions,
        Inputs.ofShuffles(parents),
        "stage " + stageId,
        new StageWork(stageId, shuffleId, inputs, indeterminate),
        withLocality && random.nextBoolean() ? new Preferences() : Locality.ANYWHERE,
        indeterminate);
  }

  private List<Integer> someParents() {
    return IntStream.range(0, mapStages.size())
        .filter(_ -> random.nextInt(3) == 0)
        .boxed()
        .toList();
  }

  private void addWithAncestors(int shuffleId, Set<Integer> shuffles) {
    if (shuffles.add(shuffleId)) {
      mapStages
          .get(shuffleId)
          .inputs()
          .needed()
          .forEach(parent -> addWithAncestors(parent, shuffles));
    }
  }

  private int[] somePartitions(int numPartitions) {
    int offered = random.nextBoolean() ? 1 : 2;
    List<Integer> some = new ArrayList<>();
    for (int partition = numPartitions - 1; partition >= 0; partition--) {
      if (random.nextInt(offered) == 0) {
        some.add(partition);
      }
    }
    return some.stream().mapToInt(Integer::intValue).toArray();
  }

  private JobOptions options() {
    return new JobOptions(
        Map.of(
            JobOptions.POOL,
            "pool-" + random.nextInt(3),
            JobOptions.GROUP,
            "group-" + random.nextInt(4),
            JobOptions.TAGS,
            "tag-" + random.nextInt(4) + ",all"));
  }

  /// Executors, hosts, nobody, and places that do not exist.
  private record Preferences() implements Locality {
    @Override
    public List<String> preferred(int partition) {
      return switch (partition % 4) {
        case 0 -> List.of("executor:" + partition % 3);
        case 1 -> List.of("host-" + partition % 5, "host-0");
        case 2 -> List.of();
        default -> List.of("executor:gone");
      };
    }
  }
}
