package io.kiln.launcher;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// What the user typed after `spark-submit`, taken apart but not yet judged against anything
/// outside the line itself.
///
/// The first word that is not an option is the application's resource; all that follows it belongs
/// to the application. `spark-shell` puts its own name first: that is the resource then, options
/// follow it, and [#PRELOAD] among them.
public final class CommandLine {

  /// The resource that stands for the shell.
  public static final String SHELL = "spark-shell";

  /// The shell's own option: a file of snippets to run before the first prompt.
  public static final String PRELOAD = "-i";

  private static final String PRELOAD_ALIAS = "-I";

  /// What people and scripts call the shell's main class.
  private static final String SHELL_CLASS_ALIAS = "org.apache.spark.repl.Main";

  /// One `--conf key=value`.
  public record Conf(String key, String value) {}

  private final Map<SubmitOption, String> options = new EnumMap<>(SubmitOption.class);
  private final List<Conf> confs = new ArrayList<>();
  private List<String> arguments = List.of();

  private CommandLine() {}

  /// @throws Refusal if an option is unknown, or lacks its value
  public static CommandLine parse(List<String> words) {
    CommandLine line = new CommandLine();
    List<String> arguments = new ArrayList<>();
    boolean shell = !words.isEmpty() && words.getFirst().equals(SHELL);
    int at = 0;
    if (shell) {
      arguments.add(SHELL);
      at = 1;
    }
    while (at < words.size() && isOption(words.get(at))) {
      at =
          shell && isPreload(words.get(at))
              ? takePreload(words, at, arguments)
              : line.takeOption(words, at);
    }
    arguments.addAll(words.subList(at, words.size()));
    line.arguments = List.copyOf(arguments);
    return line;
  }

  private static boolean isPreload(String word) {
    return word.equals(PRELOAD) || word.equals(PRELOAD_ALIAS);
  }

  private static int takePreload(List<String> words, int at, List<String> arguments) {
    if (at + 1 == words.size()) {
      throw new Refusal("Option " + words.get(at) + " needs a value: " + words.get(at) + " FILE");
    }
    arguments.add(PRELOAD);
    arguments.add(words.get(at + 1));
    return at + 2;
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
        throw new Refusal("Option " + name + " takes no value, but was given one");
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
        throw new Refusal(
            "Option --conf needs KEY=VALUE, but was given '" + value.split("\\s", 2)[0] + "'");
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

  /// Whether the shell is to run: its resource is named, or its main class and no resource.
  public boolean isShell() {
    return arguments.isEmpty()
        ? SHELL_CLASS_ALIAS.equals(options.get(SubmitOption.CLASS))
        : arguments.getFirst().equals(SHELL);
  }

  /// The resource, if there is one, and the application's arguments.
  public List<String> arguments() {
    return arguments;
  }
}
