package io.kiln.base.settings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// How a setting's text becomes a value, and what to tell a user whose text does not.
///
/// @param <T> of the value
public sealed interface SettingType<T> {
  SettingType<String> TEXT = new Text();
  SettingType<Boolean> FLAG = new Flag();
  SettingType<List<String>> LIST = new TextList();

  /// @throws IllegalArgumentException if the text is not of this type
  T parse(String text);

  /// What a valid text is, to follow "expected".
  String expected();

  /// A valid text.
  String example();

  /// A whole number from `min` to `max`.
  static SettingType<Integer> count(int min, int max) {
    return new Count(min, max);
  }

  /// A whole number from `min` on.
  static SettingType<Integer> count(int min) {
    return new Count(min, Integer.MAX_VALUE);
  }

  /// A number from `min` to `max`.
  static SettingType<Double> fraction(double min, double max) {
    return new Fraction(min, max);
  }

  /// A size in bytes; see [ByteSize].
  static SettingType<Long> size(ByteSize.Unit defaultUnit) {
    return new Size(defaultUnit, Long.MAX_VALUE);
  }

  /// A size of at most `maxBytes`.
  static SettingType<Long> size(ByteSize.Unit defaultUnit, long maxBytes) {
    return new Size(defaultUnit, maxBytes);
  }

  /// A time that is not negative; see [Durations].
  static SettingType<Duration> time(Durations.Unit defaultUnit) {
    return new Time(defaultUnit, false);
  }

  /// A time; a negative one means "never".
  static SettingType<Duration> timeOrNever(Durations.Unit defaultUnit) {
    return new Time(defaultUnit, true);
  }

  /// One of a few words, in either case. `word=alias` makes `alias` mean `word`.
  static SettingType<String> choice(String... wordsAndAliases) {
    return new Choice(List.of(wordsAndAliases));
  }

  /// Any text.
  record Text() implements SettingType<String> {
    @Override
    public String parse(String text) {
      return text;
    }

    @Override
    public String expected() {
      return "text";
    }

    @Override
    public String example() {
      return "text";
    }
  }

  /// `true` or `false`.
  record Flag() implements SettingType<Boolean> {
    @Override
    public Boolean parse(String text) {
      String trimmed = text.trim();
      if (trimmed.equalsIgnoreCase("true")) {
        return true;
      }
      if (trimmed.equalsIgnoreCase("false")) {
        return false;
      }
      throw new IllegalArgumentException("neither true nor false: " + text);
    }

    @Override
    public String expected() {
      return "true or false";
    }

    @Override
    public String example() {
      return "true";
    }
  }

  /// Words separated by commas; blanks around them and empty ones don't count.
  record TextList() implements SettingType<List<String>> {
    @Override
    public List<String> parse(String text) {
      List<String> words = new ArrayList<>();
      int start = 0;
      while (start <= text.length()) {
        int comma = text.indexOf(',', start);
        int end = comma < 0 ? text.length() : comma;
        String word = text.substring(start, end).trim();
        if (!word.isEmpty()) {
          words.add(word);
        }
        start = end + 1;
      }
      return List.copyOf(words);
    }

    @Override
    public String expected() {
      return "a list separated by commas";
    }

    @Override
    public String example() {
      return "a,b";
    }
  }

  /// A whole number within bounds.
  record Count(int min, int max) implements SettingType<Integer> {
    @Override
    public Integer parse(String text) {
      int number = Integer.parseInt(text.trim());
      if (number < min || number > max) {
        throw new IllegalArgumentException("out of bounds: " + text);
      }
      return number;
    }

    @Override
    public String expected() {
      return max == Integer.MAX_VALUE
          ? "a whole number of at least " + min
          : "a whole number from " + min + " to " + max;
    }

    @Override
    public String example() {
      return Integer.toString(Math.min(max, Math.max(min, 4)));
    }
  }

  /// A number within bounds.
  record Fraction(double min, double max) implements SettingType<Double> {
    @Override
    public Double parse(String text) {
      double number = Double.parseDouble(text.trim());
      if (!(number >= min && number <= max)) {
        throw new IllegalArgumentException("out of bounds: " + text);
      }
      return number;
    }

    @Override
    public String expected() {
      return "a number from " + min + " to " + max;
    }

    @Override
    public String example() {
      return Double.toString((min + max) / 2);
    }
  }

  /// Bytes.
  record Size(ByteSize.Unit defaultUnit, long maxBytes) implements SettingType<Long> {
    @Override
    public Long parse(String text) {
      long bytes = ByteSize.parse(text, defaultUnit);
      if (bytes > maxBytes) {
        throw new IllegalArgumentException("too large: " + text);
      }
      return bytes;
    }

    @Override
    public String expected() {
      String limit = maxBytes == Long.MAX_VALUE ? "" : " of at most " + ByteSize.format(maxBytes);
      return "a size"
          + limit
          + ": a whole number with b, k, m, g, t or p (without one: "
          + defaultUnit.suffix()
          + ")";
    }

    @Override
    public String example() {
      return "64" + defaultUnit.suffix();
    }
  }

  /// A stretch of time.
  record Time(Durations.Unit defaultUnit, boolean negativeIsNever)
      implements SettingType<Duration> {
    @Override
    public Duration parse(String text) {
      Duration duration = Durations.parse(text, defaultUnit);
      if (duration.isNegative() && !negativeIsNever) {
        throw new IllegalArgumentException("negative: " + text);
      }
      return duration;
    }

    @Override
    public String expected() {
      return "a time: a whole number with us, ms, s, min, h or d (without one: "
          + defaultUnit.suffix()
          + (negativeIsNever ? "; negative: never)" : ")");
    }

    @Override
    public String example() {
      return "10" + defaultUnit.suffix();
    }
  }

  /// One of a few words.
  record Choice(List<String> wordsAndAliases) implements SettingType<String> {
    @Override
    public String parse(String text) {
      String trimmed = text.trim();
      for (String entry : wordsAndAliases) {
        int equals = entry.indexOf('=');
        if (trimmed.equalsIgnoreCase(entry.substring(equals + 1))) {
          return equals < 0 ? entry : entry.substring(0, equals);
        }
      }
      throw new IllegalArgumentException("not a choice: " + text);
    }

    @Override
    public String expected() {
      StringBuilder words = new StringBuilder("one of");
      for (String entry : wordsAndAliases) {
        if (entry.indexOf('=') < 0) {
          words.append(words.length() == 6 ? " " : ", ").append(entry);
        }
      }
      return words.toString();
    }

    @Override
    public String example() {
      return wordsAndAliases.getFirst();
    }
  }
}
