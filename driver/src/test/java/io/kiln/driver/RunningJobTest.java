package io.kiln.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.CallSite;
import io.kiln.api.KilnException;
import io.kiln.api.spi.JobResultHandler;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.protocol.TaskResult;
import io.kiln.scheduler.dag.JobEvent.JobFailed;
import io.kiln.scheduler.dag.JobEvent.JobSucceeded;
import io.kiln.scheduler.dag.JobEvent.PartitionResult;
import io.kiln.scheduler.dag.JobEvent.PartitionsComputed;
import io.kiln.scheduler.dag.JobEvent.PlanOutdated;
import io.kiln.scheduler.dag.JobEvent.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RunningJobTest {
  private static final long MAX_RESULT_BYTES = 100;

  private final List<String> asked = new ArrayList<>();
  private final List<String> taken = new ArrayList<>();
  private final RunningJob job = job((index, value) -> taken.add(index + "=" + value));

  private RunningJob job(JobResultHandler<Object> handler) {
    RunningJob made =
        new RunningJob(
            5,
            new CallSite("collect", "User.java:1"),
            handler,
            new JobResults(
                () -> {
                  throw new AssertionError("nothing is serialised");
                },
                ApplicationClasses.of(RunningJobTest.class.getClassLoader()),
                new AccumulatorRegistry(),
                MAX_RESULT_BYTES),
            new RunningJob.Control() {
              @Override
              public void cancel(String reason) {
                asked.add("cancel: " + reason);
              }

              @Override
              public void planAgain(Set<Integer> missed) {
                asked.add("plan again: " + missed);
              }
            });
    ProgramJobs.started(made, made.described());
    return made;
  }

  private static PartitionsComputed computed(int index, Object value, long sizeBytes) {
    return new PartitionsComputed(
        5,
        List.of(
            new PartitionResult(index, new TaskResult.Local(value, false, sizeBytes, List.of()))));
  }

  @Test
  void handsOutResultsInTheOrderInWhichTheyCameOnTheCallersThread() throws Exception {
    job.deliver(computed(1, "b", 1));
    job.deliver(new PlanOutdated(5, Set.of(3)));
    job.deliver(computed(0, "a", 1));
    job.deliver(new JobSucceeded(5));
    assertThat(taken).isEmpty();
    assertThat(ProgramJobs.areRunning()).isTrue();

    job.await();

    assertThat(taken).containsExactly("1=b", "0=a");
    assertThat(asked).containsExactly("plan again: [3]");
    assertThat(ProgramJobs.areRunning()).isFalse();
  }

  @Test
  void aFailedJobThrowsWhatTheSchedulerSaysAndCancelsNothing() {
    job.deliver(new JobFailed(5, Reason.CANCELLED, "somebody wanted it so", Optional.empty()));

    assertThatThrownBy(job::await)
        .isInstanceOfSatisfying(
            KilnException.class, e -> assertThat(e.code()).isEqualTo("JOB_CANCELLED"))
        .hasMessage("job 5 (collect at User.java:1) ended: somebody wanted it so");
    assertThat(asked).isEmpty();
  }

  /// The results count as they come, whether anybody has taken the ones before or not.
  @Test
  void aJobWhoseResultsAreTooLargeIsCancelledAsSoonAsTheyAre() throws Exception {
    job.deliver(computed(0, "a", 60));
    job.deliver(computed(1, "b", 40));
    assertThat(asked).isEmpty();
    job.deliver(computed(2, "c", 1));
    assertThat(asked).containsExactly("cancel: its results are too large");
    job.deliver(new JobSucceeded(5)); // was on its way

    assertThatThrownBy(job::await)
        .isInstanceOfSatisfying(
            KilnException.class, e -> assertThat(e.code()).isEqualTo("RESULT_TOO_LARGE"))
        .hasMessageContaining("the results of 3 tasks have 101 bytes");
    assertThat(taken).isEmpty();
  }

  @Test
  void aCallerThatThrowsCancelsItsJob() {
    RunningJob refused =
        job(
            (_, value) -> {
              throw new IllegalStateException("no room for " + value);
            });
    refused.deliver(computed(0, "a", 1));

    assertThatThrownBy(refused::await).isInstanceOf(IllegalStateException.class);
    assertThat(asked).singleElement().asString().contains("no room for a");
    job.dispense();
    assertThat(ProgramJobs.areRunning()).isFalse();
  }

  @Test
  void anInterruptedCallerCancelsItsJob() throws Exception {
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    job.await();
                  } catch (Throwable e) {
                    ended.complete(e);
                  }
                });
    caller.interrupt();

    assertThat(ended.get()).isInstanceOf(InterruptedException.class);
    caller.join();
    assertThat(asked).singleElement().asString().contains("interrupted");
  }

  @Test
  void onceItHasFailedForItsCallerWhatTheSchedulerSaysIsNotHeard() {
    KilnException closed = JobRunner.closedException();
    assertThat(job.fail(closed)).isTrue();
    assertThat(job.fail(closed)).isFalse();
    job.deliver(computed(0, "a", 1));

    assertThatThrownBy(job::await)
        .isInstanceOf(KilnException.class)
        .hasMessage(closed.getMessage())
        .hasCause(closed);
    assertThat(taken).isEmpty();
  }
}
