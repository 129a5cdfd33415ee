package io.kiln.base.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RepeatedFailuresTest {
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

  private final RepeatedFailures failures = new RepeatedFailures(2, BACKOFF);

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  @Test
  void theWaitDoublesUpToTheLongest() {
    List<Duration> waits = IntStream.rangeClosed(1, 6).mapToObj(BACKOFF::after).toList();

    assertThat(waits)
        .containsExactly(seconds(1), seconds(2), seconds(4), seconds(8), seconds(10), seconds(10));
    assertThat(BACKOFF.after(Integer.MAX_VALUE)).isEqualTo(seconds(10));
  }

  @Test
  void theFirstAreMadeGoodAtOnceAndLaterOnesWait() {
    failures.add("one", 0);
    failures.add("two", 0);
    assertThat(failures.isBackingOff()).isFalse();
    assertThat(failures.waitLeft(0)).isZero();

    failures.add("three", 0);

    assertThat(failures.isBackingOff()).isTrue();
    assertThat(failures.waitLeft(seconds(1).toNanos() / 4)).isEqualTo(Duration.ofMillis(750));
    assertThat(failures.waitLeft(seconds(5).toNanos())).isZero();
    assertThat(failures.inRow()).isEqualTo(3);
    assertThat(failures.last()).isEqualTo("three");
  }

  @Test
  void aTryHasTheNextWait() {
    IntStream.range(0, 3).forEach(i -> failures.add("it", 0));

    failures.delayNextTry(seconds(5).toNanos());

    assertThat(failures.waitLeft(seconds(5).toNanos())).isEqualTo(seconds(1));
  }

  @Test
  void aSuccessEndsTheRowUnlessItWasNone() {
    IntStream.range(0, 4).forEach(i -> failures.add("it", 0));

    assertThat(failures.endRow()).isEqualTo(4);
    assertThat(failures.isBackingOff()).isFalse();
    failures.resumeRow(4);
    failures.add("it", 0);

    assertThat(failures.delay()).isEqualTo(seconds(4));
  }
}
