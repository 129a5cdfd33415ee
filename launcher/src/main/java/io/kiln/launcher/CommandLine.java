package io.kiln.launcher;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// What the user typed after `spark-submit`, taken apart but not yet judged against anything
/// outside the line itself.
///
/// The first word that is not an option is the application's resource; all that follows it belongs
/// to the application.
public final class CommandLine {

  /// One `--conf key=value`.
  public record Conf(String key, String value) {}

  private final Map<SubmitOption, String> options = new EnumMap<>(SubmitOption.class);
  private final List<Conf> confs = new ArrayList<>();
  private List<String> arguments = List.of();

  private CommandLine() {}

  /// @throws Refusal if an option is unknown, or lacks its value
  public static CommandLine parse(List<String> words) {
    CommandLine line = new CommandLine();
    int at = 0;
    while (at < words.size() && isOption(words.get(at))) {
      at = line.takeOption(words, at);
    }
    line.arguments = List.copyOf(words.subList(at, words.size()));
    return line;
  }

  /// A lone dash is a resource; so is the empty word.
  private static boolean isOption(String word) {
    return word.length() > 1 && word.charAt(0) == '-';
  }

  /// @return where the next word is
  private int takeOption(List<String> words, int at) {
    String word = words.get(at);
    int equals = word.startsWith("--") ? word.indexOf('=') : -1;
    String name = equals < 0 ? word : word.substring(0, equals);
    SubmitOption option = SubmitOption.bySpelling(name);
    if (option == null) {
      throw unknown(name);
    }
    if (!option.takesValue()) {
      if (equals >= 0) {
        throw new Refusal("Option " + name + " takes no value, but was given one: " + word);
      }
      options.put(option, "true");
      return at + 1;
    }
    if (equals >= 0) {
      take(option, word.substring(equals + 1));
      return at + 1;
    }
    if (at + 1 == words.size()) {
      throw new Refusal("Option " + name + " needs a value: " + name + " " + option.valueName());
    }
    take(option, words.get(at + 1));
    return at + 2;
  }

  private void take(SubmitOption option, String value) {
    if (option == SubmitOption.CONF) {
      int equals = value.indexOf('=');
      if (equals <= 0) {
        throw new Refusal("Option --conf needs KEY=VALUE, but was given '" + value + "'");
      }
      confs.add(new Conf(value.substring(0, equals).trim(), value.substring(equals + 1)));
      return;
    }
    options.put(option, value);
  }

  private static Refusal unknown(String name) {
    SubmitOption near = SubmitOption.nearest(name);
    String hint =
        near == null
            ? "run 'spark-submit --help' for the list"
            : "did you mean " + near.spelling() + "?";
    return new Refusal("Unknown option " + name + ": " + hint);
  }

  public boolean has(SubmitOption option) {
    return options.containsKey(option);
  }

  /// @return the option's value, or null where it was not given
  public String value(SubmitOption option) {
    return options.get(option);
  }

  /// In the order given; a key may come more than once, and then the last holds.
  public List<Conf> confs() {
    return List.copyOf(confs);
  }

  /// The resource, if there is one, and the application's arguments.
  public List<String> arguments() {
    return arguments;
  }
}
