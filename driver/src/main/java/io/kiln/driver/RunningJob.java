package io.kiln.driver;

import io.kiln.api.CallSite;
import io.kiln.api.KilnException;
import io.kiln.api.spi.JobResultHandler;
import io.kiln.api.spi.SubmittedJob;
import io.kiln.base.machine.Payload;
import io.kiln.scheduler.dag.JobEvent;
import io.kiln.scheduler.dag.JobEvent.JobFailed;
import io.kiln.scheduler.dag.JobEvent.JobSucceeded;
import io.kiln.scheduler.dag.JobEvent.MapTasksSucceeded;
import io.kiln.scheduler.dag.JobEvent.PartitionResult;
import io.kiln.scheduler.dag.JobEvent.PartitionsComputed;
import io.kiln.scheduler.dag.JobEvent.PlanOutdated;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A job under way: what the scheduler says of it waits here until the caller takes it.
///
/// [#deliver] and [#fail] come from the scheduler's thread and from the one that closes the
/// context; [#await] runs on the caller's. The queue is bounded by the job: a result a partition,
/// and all of them no larger than the limit on results.
final class RunningJob implements SubmittedJob {

  /// What a job asks for while it is under way.
  interface Control {
    void cancel(String reason);

    /// Runs the user's code where stages are serialised: to be called on the caller's thread.
    ///
    /// @param missed shuffles that the first plan left out, and tasks needed
    void planAgain(Set<Integer> missed);
  }

  private final int jobId;
  private final CallSite action;
  private final JobResultHandler<Object> handler;
  private final JobResults results;
  private final Control control;
  private List<JobEvent> events = new ArrayList<>();
  private KilnException ownFailure;
  private long resultBytes;
  private int resultCount;

  RunningJob(
      int jobId,
      CallSite action,
      JobResultHandler<?> handler,
      JobResults results,
      Control control) {
    this.jobId = jobId;
    this.action = action;
    this.handler = untyped(handler);
    this.results = results;
    this.control = control;
  }

  @SuppressWarnings("unchecked") // the function that makes the results was given with the handler
  private static JobResultHandler<Object> untyped(JobResultHandler<?> handler) {
    return (JobResultHandler<Object>) handler;
  }

  @Override
  public int jobId() {
    return jobId;
  }

  @Override
  public void dispense() {
    boolean _ = ProgramJobs.ended(this);
  }

  @Override
  public void cancel(String reason) {
    control.cancel(reason);
  }

  // ---- the scheduler's side -----------------------------------------------------------------

  synchronized void deliver(JobEvent event) {
    if (ownFailure != null) {
      return; // nobody waits for it any more
    }
    if (event instanceof PartitionsComputed computed && exceedsLimit(computed)) {
      boolean _ = fail(tooLarge());
      control.cancel("its results are too large");
      return;
    }
    events.add(event);
    notifyAll();
  }

  /// Ends the job for its caller, whatever the scheduler may still say.
  ///
  /// @return whether anybody wanted the job
  synchronized boolean fail(KilnException failure) {
    ownFailure = failure;
    events.clear();
    notifyAll();
    return ProgramJobs.ended(this);
  }

  private boolean exceedsLimit(PartitionsComputed computed) {
    for (PartitionResult result : computed.results()) {
      resultBytes += JobResults.sizeBytes(result.result());
      resultCount++;
    }
    return results.maxSizeBytes() > 0 && resultBytes > results.maxSizeBytes();
  }

  private KilnException tooLarge() {
    return new KilnException(
        "RESULT_TOO_LARGE",
        KilnException.Kind.RESOURCES,
        described()
            + " failed: the results of "
            + resultCount
            + " tasks have "
            + resultBytes
            + " bytes, which is more than spark.driver.maxResultSize ("
            + results.maxSizeBytes()
            + " bytes); return less to the driver, or raise the limit");
  }

  // ---- the caller's side --------------------------------------------------------------------

  @Override
  public void await() throws InterruptedException {
    boolean ended = false;
    try {
      while (!ended) {
        for (JobEvent event : take()) {
          ended |= handle(event);
        }
      }
    } catch (InterruptedException e) {
      cancelAfter(e, "the thread that waited for it was interrupted");
      throw e;
    } catch (EndOfJob e) {
      throw e.failure;
    } catch (RuntimeException | Error e) {
      cancelAfter(e, "the driver could not go on with it: " + e);
      throw e;
    } finally {
      dispense(); // its caller has handled the end
    }
  }

  /// The context may be closed by now: then there is nothing to cancel.
  private void cancelAfter(Throwable failure, String reason) {
    try {
      cancel(reason);
    } catch (KilnException e) {
      failure.addSuppressed(e);
    }
  }

  private synchronized List<JobEvent> take() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    while (events.isEmpty()) {
      if (ownFailure != null) {
        throw new EndOfJob(onThisThread(ownFailure));
      }
      wait();
    }
    List<JobEvent> taken = events;
    events = new ArrayList<>();
    return taken;
  }

  // With the stack of the caller, who can do something about it.
  private static KilnException onThisThread(KilnException failure) {
    return new KilnException(failure.code(), failure.kind(), failure.getMessage(), failure);
  }

  /// @return whether it was the last
  private boolean handle(JobEvent event) {
    switch (event) {
      case PartitionsComputed computed -> {
        for (PartitionResult result : computed.results()) {
          results.mergeAccumulators(result.result());
          pass(result);
        }
        return false;
      }
      case MapTasksSucceeded succeeded -> {
        for (Payload result : succeeded.results()) {
          results.mergeAccumulators(result);
        }
        return false;
      }
      case PlanOutdated outdated -> {
        control.planAgain(outdated.shuffleIds());
        return false;
      }
      case JobSucceeded _ -> {
        return true;
      }
      case JobFailed failed ->
          throw new EndOfJob(JobFailures.toException(described(), failed, results));
    }
  }

  private void pass(PartitionResult result) {
    try {
      handler.taskSucceeded(result.index(), results.value(result.result()));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new KilnException(
          "JOB_FAILED",
          KilnException.Kind.APPLICATION,
          described() + " failed: what takes its results threw " + e,
          e);
    }
  }

  /// For people.
  String described() {
    return "job " + jobId + " (" + action + ")";
  }

  /// Carries the job's failure out of the loop, past the handling of the handler's own failures.
  private static final class EndOfJob extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient KilnException failure;

    EndOfJob(KilnException failure) {
      super(null, null, false, false);
      this.failure = failure;
    }
  }
}
