package io.kiln.driver.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.scheduler.StatusEvent;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProgressBarTest {
  private final StatusStore store = new StatusStore(10, 10);
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  private ProgressBar bar(boolean terminal) {
    PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
    return new ProgressBar(
        store, new ProgressBar.Terminal(out, () -> terminal, 40), Duration.ofMillis(1), true);
  }

  private void stage(int stageId, long nowMillis, int active, int succeeded) {
    store.accept(new StatusEvent.StageStarted(stageId, 0, "s", 100), nowMillis);
    store.accept(new StatusEvent.StageProgress(stageId, 0, active, succeeded, 0), nowMillis);
  }

  @Test
  void looksAsItShould() {
    StatusStore.ActiveStage stage = new StatusStore.ActiveStage(3, 0, 100, 2, 50);

    String line = ProgressLine.of(List.of(stage), 0, 40);

    assertThat(line).isEqualTo("[Stage 3:========>       (50 + 2) / 100]").hasSize(40);
  }

  @Test
  void putsStagesSideBySide() {
    StatusStore.ActiveStage first = new StatusStore.ActiveStage(3, 0, 100, 2, 0);
    StatusStore.ActiveStage second = new StatusStore.ActiveStage(4, 0, 100, 1, 100);
    StatusStore.ActiveStage young = new StatusStore.ActiveStage(5, 99, 100, 1, 1);

    assertThat(ProgressLine.of(List.of(first, second, young), 50, 60))
        .isEqualTo("[Stage 3:>      (0 + 2) / 100][Stage 4:=====(100 + 1) / 100]");
    assertThat(ProgressLine.of(List.of(first, second), 50, 10))
        .isEqualTo("[Stage 3:(0 + 2) / 100][Stage 4:(100 + 1) / 100]");
  }

  @Test
  void drawsOverItselfAndClears() {
    ProgressBar bar = bar(true);
    stage(3, 1_000, 2, 50);
    bar.draw(1_499);
    assertThat(written.size()).as("too young").isZero();

    bar.draw(1_500);
    String line = ProgressLine.of(store.underWay(), 1_000, 38); // the echo of Ctrl-C has room
    assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo("\r" + line);

    written.reset();
    store.accept(new StatusEvent.StageEnded(3, 0, Optional.empty()), 1_600);
    bar.accept(new StatusEvent.StageEnded(3, 0, Optional.empty()));
    assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo("\r" + " ".repeat(40) + "\r");

    written.reset();
    bar.clear();
    assertThat(written.size()).isZero();
  }

  @Test
  void saysNothingWithoutATerminal() {
    ProgressBar bar = bar(false);
    stage(3, 0, 2, 50);

    assertThat(bar.draw(10_000)).isFalse();
    assertThat(written.size()).isZero();
  }

  @Test
  void drawsOnItsOwnThreadOnceAStageTakesLong() throws InterruptedException {
    StringBuilder drawn = new StringBuilder();
    PrintStream out =
        new PrintStream(written, true, StandardCharsets.UTF_8) {
          @Override
          public void print(String text) {
            synchronized (drawn) {
              drawn.append(text);
              drawn.notifyAll();
            }
          }
        };
    try (ProgressBar bar =
        new ProgressBar(
            store, new ProgressBar.Terminal(out, () -> true, 40), Duration.ofMillis(1), true)) {
      stage(3, 0, 2, 50);
      bar.accept(new StatusEvent.StageStarted(3, 0, "s", 100));
      synchronized (drawn) {
        while (drawn.indexOf("[Stage 3:") < 0) {
          drawn.wait();
        }
      }
    }
    synchronized (drawn) {
      assertThat(drawn.toString()).endsWith(" \r");
    }
  }
}
