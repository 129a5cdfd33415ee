package io.kiln.base.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.base.settings.Durations.Unit;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "0,PT0S",
    "10s,PT10S",
    "5min,PT5M",
    "5m,PT5M",
    "100ms,PT0.1S",
    "250us,PT0.00025S",
    "1H,PT1H",
    "2d,PT48H",
    "-1ms,PT-0.001S",
    "106751d,PT2562024H"
  })
  void readsNumbersAndUnits(String text, Duration duration) {
    assertThat(Durations.parse(text, Unit.SECONDS)).isEqualTo(duration);
  }

  @Test
  void countsPlainNumbersInTheDefaultUnit() {
    assertThat(Durations.parse("5", Unit.MILLISECONDS)).isEqualTo(Duration.ofMillis(5));
    assertThat(Durations.parse("5", Unit.SECONDS)).isEqualTo(Duration.ofSeconds(5));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "s",
        "-",
        "-s",
        "1.5s",
        "1 week",
        "10x",
        "--1s",
        "106752d",
        "9223372036854775808",
        "1e3"
      })
  void refusesWhatIsNoTime(String text) {
    assertThatThrownBy(() -> Durations.parse(text, Unit.SECONDS))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Property
  void readsWhatItWrites(
      @ForAll @LongRange(min = -9_223_372_036_854_775L, max = 9_223_372_036_854_775L) long micros) {
    Duration duration = Duration.ofNanos(micros * 1_000);
    assertThat(Durations.parse(Durations.format(duration), Unit.DAYS)).isEqualTo(duration);
  }
}
