package io.kiln.base.settings;

import java.time.Duration;
import java.util.Locale;

/// Times as text: a whole number and a unit, `100ms`, `10s`, `5min`, `1h`, `2d`.
public final class Durations {

  /// What a number without a unit counts.
  public enum Unit {
    MICROSECONDS("us", 1_000L),
    MILLISECONDS("ms", 1_000_000L),
    SECONDS("s", 1_000_000_000L),
    MINUTES("min", 60_000_000_000L),
    HOURS("h", 3_600_000_000_000L),
    DAYS("d", 86_400_000_000_000L);

    private final String suffix;
    private final long nanos;

    Unit(String suffix, long nanos) {
      this.suffix = suffix;
      this.nanos = nanos;
    }

    /// As it is written after a number.
    public String suffix() {
      return suffix;
    }
  }

  private static final Unit[] UNITS = Unit.values();

  private Durations() {}

  /// Parses `text`: an optional `-`, digits, then nothing or `us`, `ms`, `s`, `m`, `min`, `h` or
  /// `d`, in either case.
  ///
  /// @param defaultUnit of a number without a unit
  /// @return a time that fits in a `long` of nanoseconds (292 years); may be negative
  /// @throws IllegalArgumentException if it is not a time, or too long a time
  public static Duration parse(String text, Unit defaultUnit) {
    String trimmed = text.trim();
    int start = trimmed.startsWith("-") ? 1 : 0;
    int digits = Numerals.digitsAt(trimmed, start);
    if (digits == 0) {
      throw new IllegalArgumentException("not a time: " + text);
    }
    int end = start + digits;
    long number = Long.parseLong(trimmed.substring(0, end));
    Unit unit = end == trimmed.length() ? defaultUnit : unit(trimmed.substring(end).trim());
    try {
      return Duration.ofNanos(Math.multiplyExact(number, unit.nanos));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("too long a time: " + text, e);
    }
  }

  private static Unit unit(String text) {
    String name = text.toLowerCase(Locale.ROOT);
    if (name.equals("m")) {
      return Unit.MINUTES;
    }
    for (Unit unit : UNITS) {
      if (name.equals(unit.suffix)) {
        return unit;
      }
    }
    throw new IllegalArgumentException("not a unit of time: " + text);
  }

  /// The shortest exact form that [#parse] takes: `5min`, `90s`, `0ms`. Less than a microsecond is
  /// dropped.
  public static String format(Duration duration) {
    long nanos = duration.toNanos();
    if (nanos == 0) {
      return "0ms";
    }
    for (int i = UNITS.length - 1; i > 0; i--) {
      if (nanos % UNITS[i].nanos == 0) {
        return nanos / UNITS[i].nanos + UNITS[i].suffix;
      }
    }
    return nanos / Unit.MICROSECONDS.nanos + Unit.MICROSECONDS.suffix;
  }
}
