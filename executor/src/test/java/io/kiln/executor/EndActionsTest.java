package io.kiln.executor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndActionsTest {
  private final EndActions actions = new EndActions();
  private final List<String> ran = new ArrayList<>();

  private static Error broken(String why) {
    return new AssertionError(why);
  }

  @Test
  void theLastAddedRunsFirstAndOneAddedMeanwhileRunsNext() {
    actions.onFailure(_ -> ran.add("no failure"));
    actions.onCompletion(() -> ran.add("first"));
    actions.onCompletion(
        () -> {
          ran.add("second");
          actions.onCompletion(() -> ran.add("nested"));
        });

    assertThat(actions.run(null)).isNull();
    assertThat(ran).containsExactly("second", "nested", "first");
  }

  @Test
  void aFailureIsToldBeforeTheEnd() {
    Error cause = broken("cause");
    actions.onCompletion(() -> ran.add("end"));
    actions.onFailure(failure -> ran.add("first " + failure.getMessage()));
    actions.onFailure(
        failure -> {
          ran.add("second " + failure.getMessage());
          actions.onFailure(again -> ran.add("nested " + again.getMessage()));
        });

    assertThat(actions.run(cause)).isSameAs(cause);
    assertThat(ran).containsExactly("second cause", "nested cause", "first cause", "end");
  }

  @Test
  void whatThrowsFailsTheTaskAndKeepsNoneFromRunning() {
    actions.onFailure(failure -> ran.add("failed by " + failure.getMessage()));
    actions.onCompletion(() -> ran.add("end"));
    actions.onCompletion(
        () -> {
          throw broken("second");
        });
    actions.onCompletion(
        () -> {
          throw broken("first");
        });

    Throwable outcome = actions.run(null);

    assertThat(outcome).hasMessage("first");
    assertThat(outcome.getSuppressed()).extracting(Throwable::getMessage).containsExactly("second");
    assertThat(ran).containsExactly("failed by first", "end");
  }

  @Test
  void whatThrowsAfterAFailureGoesWithIt() {
    actions.onFailure(
        _ -> {
          throw broken("telling");
        });
    actions.onCompletion(
        () -> {
          throw broken("ending");
        });

    assertThat(actions.run(broken("cause")).getSuppressed())
        .extracting(Throwable::getMessage)
        .containsExactly("telling", "ending");
  }

  /// A thread that feeds a process, say, may still compute for the task.
  @Test
  void whatComesTooLateRunsAtOnce() {
    Throwable _ = actions.run(broken("cause"));
    actions.onFailure(failure -> ran.add("late " + failure.getMessage()));
    actions.onCompletion(() -> ran.add("late"));

    assertThat(ran).containsExactly("late cause", "late");
  }
}
