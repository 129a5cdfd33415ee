package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.scheduler.dag.DagMessage.ChangePlan;
import io.kiln.scheduler.dag.DagMessage.SubmitJob;
import io.kiln.scheduler.dag.JobOptions;
import io.kiln.simulation.scheduler.RandomLineage.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/// Jobs over one random lineage, whose stages they share. Each is planned when it begins.
final class RandomJobs {
  private final RandomGenerator random;
  private final Address client;
  private final RandomLineage lineage;
  private int nextJobId;

  /// The user's code comes to an action.
  record Begin(int jobId, Node result, int[] partitions, JobOptions options) implements Message {}

  RandomJobs(RandomGenerator random, Address client, RandomLineage lineage) {
    this.random = random;
    this.client = client;
    this.lineage = lineage;
  }

  Begin next() {
    Node result = lineage.result();
    return new Begin(nextJobId++, result, somePartitions(result.numPartitions()), options());
  }

  /// A job that reads every shuffle.
  Begin everything() {
    return new Begin(nextJobId++, lineage.readerOfAll(), new int[] {0}, new JobOptions(Map.of()));
  }

  SubmitJob planned(Begin job) {
    return new SubmitJob(
        job.jobId(), lineage.plan(job.result(), Set.of()), job.partitions(), job.options(), client);
  }

  ChangePlan plannedAgain(Begin job, Set<Integer> missed) {
    return new ChangePlan(job.jobId(), lineage.plan(job.result(), missed));
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
}
