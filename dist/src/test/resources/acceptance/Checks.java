package acceptance;

import io.kiln.api.Pair;
import io.kiln.api.Quad;
import io.kiln.api.Triple;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/// Compares what operations gave with what they should give, and keeps count. Used by one thread.
final class Checks {
  private static final int SHOWN_CHARS = 300;

  private final List<String> passed = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();
  private String group = "";

  /// Checks of one kind.
  @FunctionalInterface
  interface Part {
    void run() throws Exception;
  }

  /// What goes wrong between the checks is a failure, too, and others go on.
  void all(Part part) {
    try {
      part.run();
    } catch (Exception | LinkageError e) {
      failed.add(group + "the rest" + causes(e));
    }
  }

  /// What the names of the checks that follow begin with.
  void group(String name) {
    group = name + ": ";
  }

  /// The same, in the same order, and of the same types.
  void equal(String name, Object expected, Callable<?> operation) {
    check(name, plain(expected, false), () -> plain(operation.call(), false));
  }

  /// The same in any order, also inside.
  void bag(String name, Collection<?> expected, Callable<? extends Iterable<?>> operation) {
    check(name, counts(expected), () -> counts(operation.call()));
  }

  void holds(String name, Callable<Boolean> operation) {
    check(name, true, operation);
  }

  /// That it gives a number from one to another, both included.
  void between(String name, double low, double high, Callable<? extends Number> operation) {
    check(
        name,
        "from " + low + " to " + high,
        () -> {
          double value = operation.call().doubleValue();
          return value >= low && value <= high ? "from " + low + " to " + high : value;
        });
  }

  /// That it fails, with such a message.
  void fails(String name, String message, Callable<?> operation) {
    check(
        name,
        message,
        () -> {
          try {
            return operation.call();
          } catch (Exception e) {
            return String.valueOf(e.getMessage()).contains(message) ? message : e;
          }
        });
  }

  private void check(String name, Object expected, Callable<?> operation) {
    try {
      Object actual = operation.call();
      if (expected == null ? actual == null : expected.equals(actual)) {
        passed.add(group + name);
      } else {
        failed.add(
            group + name + "\n  expected " + show(expected) + "\n  but was  " + show(actual));
      }
    } catch (Exception | LinkageError | StackOverflowError e) {
      failed.add(group + name + causes(e));
    }
  }

  private static String causes(Throwable failure) {
    StringBuilder causes = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      causes.append("\n  ").append(cause);
      Arrays.stream(cause.getStackTrace())
          .limit(4)
          .forEach(frame -> causes.append("\n    at ").append(frame));
    }
    return causes.toString();
  }

  private static String show(Object value) {
    String text = value + (value == null ? "" : " (" + value.getClass().getSimpleName() + ")");
    return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + " ...";
  }

  private static Map<Object, Integer> counts(Iterable<?> values) {
    Map<Object, Integer> counts = new HashMap<>();
    values.forEach(value -> counts.merge(Optional.ofNullable(plain(value, true)), 1, Integer::sum));
    return counts;
  }

  /// Arrays and iterables as lists, also where pairs hold them.
  private static Object plain(Object value, boolean anyOrder) {
    return switch (value) {
      case null -> null;
      case Pair<?, ?>(Object key, Object of) ->
          Arrays.asList("pair", plain(key, anyOrder), plain(of, anyOrder));
      case Triple<?, ?, ?>(Object first, Object second, Object third) ->
          Arrays.asList(
              "triple", plain(first, anyOrder), plain(second, anyOrder), plain(third, anyOrder));
      case Quad<?, ?, ?, ?>(Object first, Object second, Object third, Object fourth) ->
          Arrays.asList(
              "quad",
              plain(first, anyOrder),
              plain(second, anyOrder),
              plain(third, anyOrder),
              plain(fourth, anyOrder));
      case Map<?, ?> map -> {
        Map<Object, Object> copy = new HashMap<>();
        map.forEach((key, of) -> copy.put(plain(key, anyOrder), plain(of, anyOrder)));
        yield copy;
      }
      case Collection<?> collection -> list(collection, anyOrder);
      case Iterable<?> iterable when !(value instanceof java.nio.file.Path) ->
          list(iterable, anyOrder);
      case Object array when array.getClass().isArray() ->
          list(
              IntStream.range(0, java.lang.reflect.Array.getLength(array))
                  .mapToObj(i -> java.lang.reflect.Array.get(array, i))
                  .toList(),
              anyOrder);
      default -> value;
    };
  }

  private static List<Object> list(Iterable<?> values, boolean anyOrder) {
    List<Object> list = new ArrayList<>();
    values.forEach(value -> list.add(plain(value, anyOrder)));
    if (anyOrder) {
      list.sort(Comparator.comparing(String::valueOf));
    }
    return list;
  }

  /// @return whether all passed
  boolean report(PrintStream out) {
    passed.forEach(name -> out.println("passed " + name));
    failed.forEach(name -> out.println("FAILED " + name));
    out.println("acceptance: " + passed.size() + " passed, " + failed.size() + " failed");
    return failed.isEmpty() && !passed.isEmpty();
  }
}
