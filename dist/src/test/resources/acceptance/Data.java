package acceptance;

import io.kiln.api.Pair;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What the operations are tried on, and what plain Java makes of it.
final class Data {
  static final List<Integer> NUMBERS = IntStream.rangeClosed(1, 100).boxed().toList();
  static final List<Double> DECIMALS = NUMBERS.stream().map(n -> n / 4.0).toList();

  static final List<Word> WORDS =
      Stream.of("the", "fair", "copy", "of", "the", "copy", "", "überall", "日本", "of", "the")
          .map(text -> new Word(text, text.length()))
          .toList();

  /// Keys 0 to 6, and of 7 keys a value each that only one side has.
  static final List<Pair<Integer, String>> LEFT =
      IntStream.range(0, 40).mapToObj(n -> Pair.of(n % 7, "left" + n)).toList();

  static final List<Pair<Integer, Long>> RIGHT =
      IntStream.range(0, 20).mapToObj(n -> Pair.of(3 + n % 8, (long) n)).toList();

  private Data() {}

  record Word(String text, int weight) implements Comparable<Word>, Serializable {
    @Override
    public int compareTo(Word other) {
      return text.compareTo(other.text);
    }
  }

  enum Colour {
    RED,
    GREEN {
      @Override
      boolean isCalm() {
        return true;
      }
    },
    BLUE;

    boolean isCalm() {
      return false;
    }

    static Colour of(int number) {
      return values()[number % 3];
    }
  }

  /// Neither a record nor a class of the JDK.
  static final class Box<T> implements Serializable {
    private final T content;
    private final transient String forgotten = "forgotten";
    private int uses;

    Box(T content) {
      this.content = content;
    }

    T open() {
      uses++;
      return content;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Box<?> box && box.content.equals(content);
    }

    @Override
    public int hashCode() {
      return content.hashCode();
    }

    @Override
    public String toString() {
      return "Box(" + content + ")" + (forgotten == null ? "" : "!");
    }
  }

  /// Says itself how it is serialised.
  static final class Sealed implements Serializable {
    private final int secret;

    Sealed(int secret) {
      this.secret = secret;
    }

    private record Envelope(String digits) implements Serializable {
      private Object readResolve() {
        return new Sealed(Integer.parseInt(digits));
      }
    }

    private Object writeReplace() {
      return new Envelope(Integer.toString(secret));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Sealed it && it.secret == secret;
    }

    @Override
    public int hashCode() {
      return secret;
    }
  }

  /// Values of as many kinds as are written in different ways.
  static List<Object> kinds() {
    return List.of(
        new Word("record", 1),
        Colour.GREEN,
        new Box<>(new Word("in a box", 2)),
        new Sealed(3),
        new Word[] {new Word("in an array", 4)},
        List.of(Colour.RED, new Box<>(5)),
        Map.of(new Word("key", 6), new Sealed(7)),
        Pair.of(new Box<>(8), Optional.of(new Word("optional", 9))),
        new int[] {10, 11},
        java.time.Duration.ofMinutes(12),
        new java.math.BigDecimal("13.13"),
        "text");
  }

  static <K, V> Map<K, List<V>> grouped(List<Pair<K, V>> pairs) {
    Map<K, List<V>> groups = new TreeMap<>();
    for (Pair<K, V> pair : pairs) {
      groups.computeIfAbsent(pair.key(), _ -> new ArrayList<>()).add(pair.value());
    }
    return groups;
  }

  static <K, V> List<Pair<K, V>> pairs(Map<K, V> map) {
    return map.entrySet().stream().map(e -> Pair.of(e.getKey(), e.getValue())).toList();
  }

  /// A pair for each key, of what is made of its values.
  static <K, V, R> List<Pair<K, R>> eachKey(
      List<Pair<K, V>> pairs, Function<? super List<V>, ? extends R> function) {
    List<Pair<K, R>> made = new ArrayList<>();
    grouped(pairs).forEach((key, values) -> made.add(Pair.of(key, function.apply(values))));
    return made;
  }

  static <T> Map<T, Long> counts(List<T> values) {
    Map<T, Long> counts = new HashMap<>();
    values.forEach(value -> counts.merge(value, 1L, Long::sum));
    return counts;
  }
}
