package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.TaskContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FailingJobsTest {
  private KilnContext context = Contexts.open("local[2]");

  @AfterEach
  void close() {
    context.close();
  }

  private void reopen(KilnConf conf) {
    context.close();
    context = KilnContext.create(conf);
  }

  private KilnException failureOf(ThrowingCallable job) {
    KilnException failure = catchThrowableOfType(KilnException.class, job);
    assertThat(failure).as("the job's failure").isNotNull();
    assertThat(failure.getMessage()).hasLineCount(1);
    assertThat(context.range(0, 10, 1, 2).count()).as("the context goes on").isEqualTo(10);
    return failure;
  }

  private static String users(Throwable e) {
    return Arrays.stream(e.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith(FailingJobsTest.class.getName()))
        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
        .findFirst()
        .orElse("");
  }

  @Test
  void saysWhereAndWhyAndBringsTheUsersException() {
    KilnException failure =
        failureOf(
            () ->
                context
                    .range(0, 100, 1, 4)
                    .map(
                        x -> {
                          if (x == 30) {
                            throw new IOException("no more\nroom");
                          }
                          return x;
                        })
                    .count());
    assertThat(failure.code()).isEqualTo("JOB_FAILED");
    assertThat(failure.kind()).isEqualTo(KilnException.Kind.APPLICATION);
    assertThat(failure.getMessage())
        .contains("count at FailingJobsTest.java:", "task 1 of stage")
        .contains("failed 1 time")
        .contains("java.io.IOException: no more room");
    assertThat(failure.getCause()).isInstanceOf(IOException.class).hasMessage("no more\nroom");
    assertThat(users(failure.getCause())).startsWith("FailingJobsTest.java:");
  }

  @Test
  void endlessRecursionFailsTheTaskOnly() {
    KilnException failure = failureOf(() -> context.range(0, 2, 1, 2).map(x -> forEver(x)).count());
    assertThat(failure.kind()).isEqualTo(KilnException.Kind.RESOURCES);
    assertThat(failure.getMessage()).contains("StackOverflowError", "endless recursion");
    assertThat(failure.getCause()).isInstanceOf(StackOverflowError.class);
  }

  @SuppressWarnings("InfiniteRecursion") // what the test is about
  private static long forEver(long x) {
    return 1 + forEver(x + 1);
  }

  @Test
  void runningOutOfMemoryFailsTheTaskOnly() {
    KilnException failure =
        failureOf(
            () ->
                context
                    .range(0, 2, 1, 1)
                    .map(
                        x -> {
                          List<long[]> all = new ArrayList<>();
                          while (all.size() < Integer.MAX_VALUE) {
                            all.add(new long[32 << 20]);
                          }
                          return x + all.size();
                        })
                    .count());
    assertThat(failure.kind()).isEqualTo(KilnException.Kind.RESOURCES);
    assertThat(failure.getMessage()).contains("OutOfMemoryError", "larger heap");
    assertThat(failure.getCause()).isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void aTaskIsTriedAsOftenAsTheMasterSays() {
    reopen(Contexts.conf("local[2,3]"));
    List<Integer> attempts =
        context.runJob(
            context.range(0, 4, 1, 4),
            (task, _) -> {
              if (task.attemptNumber() < 2) {
                throw new IllegalStateException("not yet");
              }
              return task.attemptNumber();
            });
    assertThat(attempts).containsExactly(2, 2, 2, 2);

    KilnException failure =
        failureOf(
            () ->
                context.runJob(
                    context.range(0, 1, 1, 1),
                    (task, _) -> {
                      throw new IllegalStateException("attempt " + task.attemptNumber());
                    }));
    assertThat(failure.getMessage()).contains("failed 3 times", "attempt 2");
  }

  @Test
  void tooMuchForTheDriverFailsTheJob() {
    reopen(Contexts.conf("local[2]").set("spark.driver.maxResultSize", "10k"));
    KilnException failure =
        failureOf(() -> context.runJob(context.range(0, 100, 1, 100), (_, _) -> "x".repeat(1_000)));
    assertThat(failure.code()).isEqualTo("RESULT_TOO_LARGE");
    assertThat(failure.getMessage()).contains("spark.driver.maxResultSize", "10240 bytes");
  }

  @Test
  void oneResultThatIsTooLargeIsNotTriedAgain() {
    reopen(Contexts.conf("local[2,5]").set("spark.driver.maxResultSize", "10k"));
    KilnException failure =
        failureOf(() -> context.runJob(context.range(0, 1, 1, 1), (_, _) -> "x".repeat(20_000)));
    assertThat(failure.getMessage()).contains("failed 1 time", "spark.driver.maxResultSize");
  }

  @Test
  void aResultThatCanNotBeSerialisedSaysWhatItIs() {
    reopen(Contexts.conf("local[2,5]"));
    KilnException failure =
        failureOf(
            () -> context.runJob(context.range(0, 1, 1, 1), (_, _) -> Thread.currentThread()));
    assertThat(failure.getMessage()).contains("failed 1 time", "java.lang.Thread");
  }

  @Test
  void endActionsRunWhicheverWayATaskEnds() {
    Gate seen = new Gate();
    failureOf(
        () ->
            context.runJob(
                context.range(0, 1, 1, 1),
                (task, _) -> {
                  task.onCompletion(seen::pass);
                  task.onCompletion(
                      () -> {
                        seen.pass();
                        throw new IllegalStateException("in an action");
                      });
                  task.onFailure(_ -> seen.pass());
                  throw new IllegalStateException("in the task");
                }));
    assertThat(seen.waitingToBeSeen()).isEqualTo(3);
  }

  @Test
  void anEndActionThatThrowsFailsTheTask() {
    KilnException failure =
        failureOf(
            () ->
                context.runJob(
                    context.range(0, 1, 1, 1),
                    (task, _) -> {
                      task.onCompletion(
                          () -> {
                            throw new IllegalStateException("in an action");
                          });
                      return 1;
                    }));
    assertThat(failure.getMessage()).contains("in an action");
  }

  @Test
  void interruptsOfItsOwnDoNotLeakIntoTheNextTask() {
    reopen(Contexts.conf("local[1]"));
    List<Boolean> interrupted =
        context.runJob(
            context.range(0, 10, 1, 10),
            (_, _) -> {
              boolean before = Thread.currentThread().isInterrupted();
              Thread.currentThread().interrupt();
              return before || TaskContext.current().isEmpty();
            });
    assertThat(interrupted).containsOnly(false);
  }
}
