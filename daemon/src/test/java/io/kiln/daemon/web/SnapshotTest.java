package io.kiln.daemon.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SnapshotTest {
  private final List<CompletableFuture<String>> asked = new ArrayList<>();
  private long nowNanos;
  private final Snapshot<String> snapshot =
      new Snapshot<>(
          () -> {
            asked.add(new CompletableFuture<>());
            return asked.getLast();
          },
          Duration.ofNanos(10),
          () -> nowNanos);

  @Test
  void howeverManyLookItIsAskedForOnceAWhile() {
    CompletableFuture<String> first = snapshot.get();
    CompletableFuture<String> second = snapshot.get();
    asked.getFirst().complete("a");
    assertThat(first).isCompletedWithValue("a");
    assertThat(second).isCompletedWithValue("a");
    nowNanos = 10;
    assertThat(snapshot.get()).isCompletedWithValue("a");
    assertThat(asked).hasSize(1);
    nowNanos = 11;
    assertThat(snapshot.get()).isNotDone();
    assertThat(asked).hasSize(2);
  }

  @Test
  void oneThatFailsIsAskedForAgainAndNobodyEndsItForOthers() {
    CompletableFuture<String> first = snapshot.get();
    CompletableFuture<String> other = snapshot.get();
    first.cancel(true);
    assertThat(other).isNotDone();
    asked.getFirst().completeExceptionally(new IllegalStateException());
    assertThat(snapshot.get()).isNotDone();
    assertThat(asked).hasSize(2);
  }
}
