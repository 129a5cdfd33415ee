package io.kiln.cluster.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Tells what is wrong with what a cluster is asked for, before anything is given away for it: a
/// process that could never be started, or what is too large to be kept.
public final class DescriptionCheck {
  /// What Linux takes for one argument or variable (`MAX_ARG_STRLEN`), less its end.
  private static final int MAX_WORD = (128 << 10) - 1;

  private static final int MAX_CHARACTERS = 1 << 20;
  private static final int MAX_PORT = 65_535;

  private DescriptionCheck() {}

  /// @return one line: what is wrong, what to do about it; empty if nothing is
  public static String problem(ApplicationDescription application) {
    if (application.executorMemoryMebibytes() < 1) {
      return "an executor with "
          + application.executorMemoryMebibytes()
          + " MiB can't be; set spark.executor.memory";
    }
    if (application.executorCores().filter(cores -> cores < 1).isPresent()
        || application.maxCores().filter(cores -> cores < 1).isPresent()) {
      return "an executor and an application need at least one core; set spark.executor.cores and"
          + " spark.cores.max";
    }
    int each = application.executorCores().orElse(1);
    int most = application.maxCores().orElse(Integer.MAX_VALUE);
    if (each > most) {
      return "one executor would have more cores (spark.executor.cores="
          + each
          + ") than the application may have (spark.cores.max="
          + most
          + "); raise the latter";
    }
    String uiUrl = application.uiUrl();
    if (!uiUrl.isEmpty() && !uiUrl.startsWith("http://") && !uiUrl.startsWith("https://")) {
      return "its pages are at no http: or https: URL";
    }
    return problem(
        application.command(),
        List.of(application.name(), application.user(), uiUrl),
        application.properties());
  }

  /// @return as above
  public static String problem(DriverDescription driver) {
    if (driver.cores() < 1 || driver.memoryMebibytes() < 1) {
      return "a driver needs at least one core and 1 MiB; set spark.driver.cores and"
          + " spark.driver.memory";
    }
    if (driver.jarUrl().isBlank()) {
      return "a driver needs the URL of its jar";
    }
    List<String> texts = new ArrayList<>(List.of(driver.jarUrl()));
    driver
        .properties()
        .forEach(
            (key, value) -> {
              texts.add(key);
              texts.add(value);
            });
    return problem(driver.command(), texts, Map.of());
  }

  /// @return as above
  public static String problem(WorkerDescription worker) {
    if (worker.cores() < 1 || worker.memoryMebibytes() < 1) {
      return "a worker needs at least one core and 1 MiB to give away";
    }
    if (worker.host().isBlank() || worker.port() < 1 || worker.port() > MAX_PORT) {
      return "a worker needs a host and a port by which it is reached";
    }
    return "";
  }

  private static String problem(
      Command command, List<String> texts, Map<String, String> secretVariables) {
    List<String> words = new ArrayList<>(texts);
    words.add(command.mainClass());
    words.addAll(command.arguments());
    words.addAll(command.classPath());
    words.addAll(command.libraryPath());
    words.addAll(command.javaOptions());
    for (Map<String, String> variables : List.of(command.environment(), secretVariables)) {
      for (Map.Entry<String, String> variable : variables.entrySet()) {
        String name = variable.getKey();
        if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
          return "there is no variable of an environment that is called '"
              + name.replace('\0', '?')
              + "': its name is empty, or has '=' or a zero character";
        }
        words.add(name + "=" + variable.getValue());
      }
    }
    long characters = 0;
    for (String word : words) {
      characters += word.length();
      if (word.indexOf('\0') >= 0) {
        return "there is a zero character in what starts it, or in its settings";
      }
    }
    for (String word : command.arguments()) {
      if (word.length() > MAX_WORD) {
        return "an argument of " + word.length() + " characters can't be given to a process";
      }
    }
    return characters > MAX_CHARACTERS
        ? "its command, environment and settings are "
            + characters
            + " characters, and a master takes "
            + MAX_CHARACTERS
        : "";
  }
}
