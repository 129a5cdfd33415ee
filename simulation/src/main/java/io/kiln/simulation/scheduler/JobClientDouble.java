package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
import io.kiln.scheduler.dag.DagMessage.SubmitJob;
import io.kiln.scheduler.dag.JobEvent;
import io.kiln.scheduler.dag.JobEvent.JobFailed;
import io.kiln.scheduler.dag.JobEvent.JobSucceeded;
import io.kiln.scheduler.dag.JobEvent.MapTasksSucceeded;
import io.kiln.scheduler.dag.JobEvent.PartitionResult;
import io.kiln.scheduler.dag.JobEvent.PartitionsComputed;
import io.kiln.scheduler.dag.JobEvent.PlanOutdated;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The client of all jobs. It holds the scheduler to its word: each partition once a job and the
/// right one, each map task's result once, no mixture of results, one end, and nothing after it.
final class JobClientDouble implements Machine<JobEvent> {
  private static final class Job {
    final SubmitJob submitted;
    final Set<Integer> indexes = new TreeSet<>();
    Provenance provenance = Provenance.NONE;

    Job(SubmitJob submitted) {
      this.submitted = submitted;
    }
  }

  private final Map<Integer, Job> open = new TreeMap<>();
  private final Set<String> mapResults = new HashSet<>();
  private int succeeded;
  private int failed;

  void expect(SubmitJob submitted) {
    open.put(submitted.jobId(), new Job(submitted));
  }

  Set<Integer> open() {
    return open.keySet();
  }

  int succeeded() {
    return succeeded;
  }

  int failed() {
    return failed;
  }

  @Override
  public void handle(JobEvent event, Turn turn) {
    Job job = open.get(event.jobId());
    demand(job != null, "a job that has ended hears ", event);
    switch (event) {
      case PartitionsComputed computed ->
          computed.results().forEach(result -> result(job, result, event));
      case MapTasksSucceeded map ->
          map.results()
              .forEach(
                  result ->
                      demand(mapResults.add(name((TaskResult) result)), "counted twice: ", result));
      case PlanOutdated _ -> {}
      case JobSucceeded _ -> {
        demand(job.indexes.size() == job.submitted.partitions().length, "too early: ", event);
        open.remove(event.jobId());
        succeeded++;
      }
      case JobFailed _ -> {
        open.remove(event.jobId());
        failed++;
      }
    }
  }

  private static void result(Job job, PartitionResult result, Message event) {
    demand(job.indexes.add(result.index()), "a partition was delivered twice: ", event);
    TaskResult task = (TaskResult) result.result();
    demand(
        task.stageId() == job.submitted.graph().resultStage().stageId()
            && task.partition() == job.submitted.partitions()[result.index()],
        "the wrong result: ",
        event);
    job.provenance = job.provenance.and(task.provenance());
    demand(!job.provenance.isMixed(), "results of different versions of one output: ", event);
  }

  private static String name(TaskResult task) {
    return task.stageId() + ":" + task.partition();
  }

  private static void demand(boolean holds, String otherwise, Object what) {
    if (!holds) {
      throw new AssertionError(otherwise + what);
    }
  }
}
