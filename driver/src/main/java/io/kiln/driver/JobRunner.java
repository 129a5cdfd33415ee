package io.kiln.driver;

import io.kiln.api.CallSite;
import io.kiln.api.KilnException;
import io.kiln.api.RDD;
import io.kiln.api.spi.JobResultHandler;
import io.kiln.api.spi.PartitionFunction;
import io.kiln.api.spi.UserCallSite;
import io.kiln.base.machine.Address;
import io.kiln.scheduler.dag.DagMessage;
import io.kiln.scheduler.dag.JobEvent;
import io.kiln.scheduler.dag.JobEvent.JobFailed;
import io.kiln.scheduler.dag.JobEvent.JobSucceeded;
import io.kiln.scheduler.dag.JobOptions;
import io.kiln.scheduler.dag.StageGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Submits jobs to the dag machine and hands each what is said of it. Thread-safe.
final class JobRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JobRunner.class);

  private final Planner planner;
  private final Consumer<DagMessage> dag;
  private final Address edge;
  private final JobResults results;
  private final AtomicInteger nextJobId = new AtomicInteger();
  private final Map<Integer, Submitted> running = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /// @param dag takes messages for the dag machine, from any thread
  /// @param edge the address whose messages come to [#receive]
  JobRunner(Planner planner, Consumer<DagMessage> dag, Address edge, JobResults results) {
    this.planner = planner;
    this.dag = dag;
    this.edge = edge;
    this.results = results;
  }

  /// @param properties the submitting thread's
  <T, R> RunningJob submit(
      RDD<T> rdd,
      PartitionFunction<T, ? extends R> function,
      int[] partitions,
      JobResultHandler<? super R> handler,
      Map<String, String> properties) {
    checkOpen();
    CallSite action = UserCallSite.here();
    int jobId = nextJobId.getAndIncrement();
    if (partitions.length == 0) {
      Control nothingToDo = new Control(jobId, rdd, new StageGraph(List.of()));
      RunningJob job = new RunningJob(jobId, action, handler, results, nothingToDo);
      job.deliver(new JobSucceeded(jobId));
      return job;
    }
    StageGraph graph = planner.plan(rdd, function, partitions, action);
    RunningJob job =
        new RunningJob(jobId, action, handler, results, new Control(jobId, rdd, graph));
    JobOptions options = new JobOptions(properties);
    running.put(jobId, new Submitted(job, options));
    ProgramJobs.started(job, job.described());
    try {
      dag.accept(new DagMessage.SubmitJob(jobId, graph, partitions.clone(), options, edge));
    } catch (KilnException e) {
      running.remove(jobId);
      boolean _ = ProgramJobs.ended(job);
      throw e;
    }
    if (closed) {
      close(); // it came in between
    }
    return job;
  }

  /// What the dag machine says. Called by one thread at a time; never blocks.
  void receive(JobEvent event) {
    Submitted told =
        event instanceof JobSucceeded || event instanceof JobFailed
            ? running.remove(event.jobId())
            : running.get(event.jobId());
    if (told != null) {
      told.job().deliver(event);
    }
  }

  /// Somebody asks for the end of these jobs: the program loses nothing with them.
  ///
  /// @param which by their options
  void cancelled(Predicate<JobOptions> which) {
    for (Submitted each : running.values()) {
      if (which.test(each.options())) {
        each.job().dispense();
      }
    }
  }

  /// As above, of one job.
  void cancelled(int jobId) {
    Submitted one = running.get(jobId);
    if (one != null) {
      one.job().dispense();
    }
  }

  /// Forgets a shuffle that nobody refers to.
  void forgetShuffle(int shuffleId) {
    planner.forgetShuffle(shuffleId);
  }

  private final class Control implements RunningJob.Control {
    private final int jobId;
    private final RDD<?> rdd;
    private final StageGraph graph;

    /// @param graph as it was planned at first
    Control(int jobId, RDD<?> rdd, StageGraph graph) {
      this.jobId = jobId;
      this.rdd = rdd;
      this.graph = graph;
    }

    @Override
    public void cancel(String reason) {
      cancelled(jobId);
      dag.accept(new DagMessage.CancelJob(jobId, reason));
    }

    @Override
    public void planAgain(Set<Integer> missed) {
      dag.accept(new DagMessage.ChangePlan(jobId, planner.planAgain(graph, rdd, missed)));
    }
  }

  private void checkOpen() {
    if (closed) {
      throw closedException();
    }
  }

  static KilnException closedException() {
    return new KilnException(
        "CONTEXT_CLOSED",
        KilnException.Kind.USER,
        "the context was closed; close it only after the last job has ended");
  }

  /// The scheduler has stopped: running jobs fail with the reason.
  void schedulerFailed(KilnException failure) {
    failAll(_ -> failure);
  }

  /// Running jobs fail, and if anybody wanted them, that is said; no more are taken. Idempotent.
  @Override
  public void close() {
    closed = true;
    List<String> lost = failAll(JobRunner::cutException);
    if (!lost.isEmpty()) {
      ProgramJobs.cut();
      LOG.warn(
          "the context was closed while {} still ran, so {} failed; close it only after the last"
              + " job has ended",
          String.join(", ", lost),
          lost.size() == 1 ? "it has" : "they have");
    }
  }

  private static KilnException cutException(RunningJob job) {
    return new KilnException(
        "CONTEXT_CLOSED",
        KilnException.Kind.USER,
        job.described()
            + " failed: the context was closed while it ran; close it only after the last job has"
            + " ended");
  }

  /// @return the jobs that somebody wanted
  private List<String> failAll(Function<RunningJob, KilnException> failure) {
    List<String> lost = new ArrayList<>();
    // not over a copy: there may be no memory for one
    running.forEach(
        (jobId, each) -> {
          if (running.remove(jobId, each) && each.job().fail(failure.apply(each.job()))) {
            lost.add(each.job().described());
          }
        });
    return lost;
  }

  private record Submitted(RunningJob job, JobOptions options) {}
}
