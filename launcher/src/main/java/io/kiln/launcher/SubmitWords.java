package io.kiln.launcher;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What follows `spark-submit` on a command line, gathered in any order.
///
/// An option given again replaces what it was, but the lists of jars and files grow.
final class SubmitWords {

  private static final Set<SubmitOption> LISTS =
      EnumSet.of(SubmitOption.JARS, SubmitOption.FILES, SubmitOption.PY_FILES);

  /// Those that run no program.
  private static final Set<SubmitOption> ALONE =
      EnumSet.of(
          SubmitOption.HELP,
          SubmitOption.VERSION,
          SubmitOption.USAGE_ERROR,
          SubmitOption.KILL,
          SubmitOption.STATUS);

  private final Map<SubmitOption, String> options = new EnumMap<>(SubmitOption.class);
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final List<String> arguments = new ArrayList<>();
  private String resource = "";

  /// @param name with its dashes; the short forms count
  /// @throws IllegalArgumentException if there is none of this name
  static SubmitOption option(String name) {
    SubmitOption option = SubmitOption.bySpelling(name);
    if (option == null) {
      SubmitOption near = SubmitOption.nearest(name);
      throw new IllegalArgumentException(
          "spark-submit has no option "
              + name
              + (near == null ? "" : ": did you mean " + near.spelling() + "?"));
    }
    return option;
  }

  /// @throws IllegalArgumentException if the option needs a value
  void put(SubmitOption option) {
    if (option.takesValue()) {
      throw new IllegalArgumentException(
          option.spelling() + " needs a value: " + option.valueName());
    }
    options.put(option, "");
  }

  /// @throws IllegalArgumentException if the option takes no value, or not this one
  void put(SubmitOption option, String value) {
    if (!option.takesValue()) {
      throw new IllegalArgumentException(option.spelling() + " takes no value");
    }
    if (option == SubmitOption.CONF) {
      int equals = value.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("--conf needs KEY=VALUE, and was given " + value);
      }
      putSetting(value.substring(0, equals), value.substring(equals + 1));
    } else if (LISTS.contains(option)) {
      options.merge(option, value, (before, more) -> before + "," + more);
    } else {
      options.put(option, value);
    }
  }

  void remove(SubmitOption option) {
    options.remove(option);
  }

  /// @throws IllegalArgumentException if the key is none of `spark.*`
  void putSetting(String key, String value) {
    if (!key.startsWith("spark.") || key.indexOf('=') >= 0) {
      throw new IllegalArgumentException(
          "the key of a setting begins with spark. and has no '=', and this is " + key);
    }
    settings.put(key, value);
  }

  /// @throws IllegalArgumentException if it would be read as an option
  void resource(String path) {
    if (path.isEmpty() || path.startsWith("-")) {
      throw new IllegalArgumentException(
          "an application's resource is a path, as in app.jar or ./-app.jar, and this is '"
              + path
              + "'");
    }
    resource = path;
  }

  void addArgument(String argument) {
    arguments.add(argument);
  }

  /// What to call the application: its name, its main class's or its resource's.
  String title() {
    String mainClass = options.getOrDefault(SubmitOption.CLASS, "");
    return options.containsKey(SubmitOption.NAME)
        ? options.get(SubmitOption.NAME)
        : mainClass.isEmpty()
            ? resource.substring(resource.lastIndexOf('/') + 1)
            : mainClass.substring(mainClass.lastIndexOf('.') + 1);
  }

  /// @throws IllegalStateException if there is nothing to run
  List<String> words() {
    List<String> words = new ArrayList<>();
    boolean runs = true;
    for (Map.Entry<SubmitOption, String> entry : options.entrySet()) {
      words.add(entry.getKey().spelling());
      if (entry.getKey().takesValue()) {
        words.add(entry.getValue());
      }
      runs &= !ALONE.contains(entry.getKey());
    }
    settings.forEach(
        (key, value) -> {
          words.add(SubmitOption.CONF.spelling());
          words.add(key + "=" + value);
        });
    if (runs && resource.isEmpty()) {
      throw new IllegalStateException("there is no application to launch: call setAppResource");
    }
    if (!resource.isEmpty()) {
      words.add(resource);
      words.addAll(arguments);
    }
    return words;
  }
}
