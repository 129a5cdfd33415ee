package io.kiln.base.settings;

import java.util.Locale;

/// Sizes as text: a whole number and a unit, `64k`, `512m`, `1g`, in powers of 1,024.
public final class ByteSize {

  /// What a number without a unit counts.
  public enum Unit {
    BYTES("b", 0),
    KIBIBYTES("k", 10),
    MEBIBYTES("m", 20),
    GIBIBYTES("g", 30),
    TEBIBYTES("t", 40),
    PEBIBYTES("p", 50);

    private final String suffix;
    private final int shift;

    Unit(String suffix, int shift) {
      this.suffix = suffix;
      this.shift = shift;
    }

    /// As it is written after a number.
    public String suffix() {
      return suffix;
    }
  }

  private static final Unit[] UNITS = Unit.values();

  private ByteSize() {}

  /// Parses `text`: digits, then nothing or `b`, `k`, `m`, `g`, `t` or `p`, in either case, with or
  /// without a `b` behind it (`kb`) or `ib` (`kib`).
  ///
  /// @param defaultUnit of a number without a unit
  /// @return bytes, not negative
  /// @throws IllegalArgumentException if it is not a size, is negative, or is 2^63 bytes or more
  public static long parse(String text, Unit defaultUnit) {
    String trimmed = text.trim();
    int digits = Numerals.digitsAt(trimmed, 0);
    if (digits == 0) {
      throw new IllegalArgumentException("not a size: " + text);
    }
    long number = Long.parseLong(trimmed.substring(0, digits));
    Unit unit = digits == trimmed.length() ? defaultUnit : unit(trimmed.substring(digits).trim());
    if (number > Long.MAX_VALUE >> unit.shift) {
      throw new IllegalArgumentException("too large a size: " + text);
    }
    return number << unit.shift;
  }

  private static Unit unit(String text) {
    String name = text.toLowerCase(Locale.ROOT);
    for (Unit unit : UNITS) {
      if (name.equals(unit.suffix)
          || (unit != Unit.BYTES
              && (name.equals(unit.suffix + "b") || name.equals(unit.suffix + "ib")))) {
        return unit;
      }
    }
    throw new IllegalArgumentException("not a unit of size: " + text);
  }

  /// The shortest exact form that [#parse] takes: `1g`, `1536m`, `5`.
  public static String format(long bytes) {
    for (int i = UNITS.length - 1; i > 0; i--) {
      Unit unit = UNITS[i];
      if (bytes != 0 && bytes % (1L << unit.shift) == 0) {
        return (bytes >> unit.shift) + unit.suffix;
      }
    }
    return bytes + "b";
  }
}
