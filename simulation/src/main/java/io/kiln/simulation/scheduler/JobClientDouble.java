package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Address;
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
import io.kiln.simulation.scheduler.RandomJobs.Begin;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The client of all jobs: it plans them, at once or, when a plan has to change, in its own time.
/// It holds the scheduler to its word: each partition once a job and the
/// right one, each map task's result once, no mixture of results, one end, and nothing after it.
final class JobClientDouble implements Machine<Message> {
  private static final Duration LONGEST_PLANNING = Duration.ofMillis(100);

  /// From its own timer.
  private record PlanReady(int jobId, Set<Integer> missed) implements Message {}

  private static final class Job {
    final Begin begun;
    final SubmitJob submitted;
    boolean isPlannedAgain;
    final Set<Integer> indexes = new TreeSet<>();
    Provenance provenance = Provenance.NONE;

    Job(Begin begun, SubmitJob submitted) {
      this.begun = begun;
      this.submitted = submitted;
    }
  }

  private final Address dag;
  private final RandomJobs jobs;
  private final Map<Integer, Job> open = new TreeMap<>();
  private final Set<String> mapResults = new HashSet<>();
  private int succeeded;
  private int failed;

  JobClientDouble(Address dag, RandomJobs jobs) {
    this.dag = dag;
    this.jobs = jobs;
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

  /// Whether it is about to plan the job again.
  boolean isPlanning(int jobId) {
    return open.containsKey(jobId) && open.get(jobId).isPlannedAgain;
  }

  @Override
  public void handle(Message message, Turn turn) {
    switch (message) {
      case Begin begun -> {
        SubmitJob submitted = jobs.planned(begun);
        open.put(begun.jobId(), new Job(begun, submitted));
        turn.send(dag, submitted);
      }
      case PlanReady ready -> planAgain(ready, turn);
      case JobEvent event -> hear(event, turn);
      default -> throw new AssertionError("no client hears " + message);
    }
  }

  private void planAgain(PlanReady ready, Turn turn) {
    Job job = open.get(ready.jobId());
    if (job != null) {
      job.isPlannedAgain = false;
      turn.send(dag, jobs.plannedAgain(job.begun, ready.missed()));
    }
  }

  private void hear(JobEvent event, Turn turn) {
    Job job = open.get(event.jobId());
    demand(job != null, "a job that has ended hears ", event);
    switch (event) {
      case PartitionsComputed computed ->
          computed.results().forEach(result -> result(job, result, event));
      case MapTasksSucceeded map ->
          map.results()
              .forEach(
                  result ->
                      demand(
                          mapResults.add(name((SimulatedResult) result)),
                          "counted twice: ",
                          result));
      case PlanOutdated(int jobId, Set<Integer> missed) -> {
        demand(!job.isPlannedAgain, "it is planned already: ", event);
        job.isPlannedAgain = true;
        turn.startTimer(
            jobId,
            Duration.ofNanos(1 + turn.random().nextLong(LONGEST_PLANNING.toNanos())),
            new PlanReady(jobId, missed));
      }
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
    SimulatedResult task = (SimulatedResult) result.result();
    demand(
        task.stageId() == job.submitted.graph().resultStage().stageId()
            && task.partition() == job.submitted.partitions()[result.index()],
        "the wrong result: ",
        event);
    job.provenance = job.provenance.and(task.provenance());
    demand(!job.provenance.isMixed(), "results of different versions of one output: ", event);
  }

  private static String name(SimulatedResult task) {
    return task.stageId() + ":" + task.partition();
  }

  private static void demand(boolean holds, String otherwise, Object what) {
    if (!holds) {
      throw new AssertionError(otherwise + what);
    }
  }
}
