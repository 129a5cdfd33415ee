package io.kiln.executor.process;

import io.kiln.api.KilnException;
import io.kiln.network.transport.NodeAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What an executor's process is started with.
///
/// @param driver where the driver listens
/// @param hostname by which others reach this process
/// @param cores how many tasks run at once, at least 1
/// @param userClassPath addresses of jars that are on this machine already
public record ExecutorArguments(
    NodeAddress driver,
    String executorId,
    String hostname,
    int cores,
    String applicationId,
    List<String> userClassPath) {
  private static final String DRIVER_URL = "--driver-url";
  private static final String EXECUTOR_ID = "--executor-id";
  private static final String HOSTNAME = "--hostname";
  private static final String CORES = "--cores";
  private static final String APP_ID = "--app-id";
  private static final String WORKER_URL = "--worker-url";
  private static final String USER_CLASS_PATH = "--user-class-path";
  private static final Set<String> OPTIONS =
      Set.of(DRIVER_URL, EXECUTOR_ID, HOSTNAME, CORES, APP_ID, WORKER_URL, USER_CLASS_PATH);
  private static final String URL_PREFIX = "spark://CoarseGrainedScheduler@";

  public ExecutorArguments {
    userClassPath = List.copyOf(userClassPath);
  }

  /// @throws KilnException `EXECUTOR_ARGUMENTS_INVALID`
  public static ExecutorArguments parse(List<String> words) {
    Map<String, String> values = new HashMap<>();
    List<String> classPath = new java.util.ArrayList<>();
    for (int i = 0; i < words.size(); i += 2) {
      String option = words.get(i);
      if (!OPTIONS.contains(option)) {
        throw invalid("'" + option + "' is no option of an executor; there are " + sorted());
      }
      if (i + 1 == words.size()) {
        throw invalid(option + " needs a value");
      }
      if (option.equals(USER_CLASS_PATH)) {
        classPath.add(words.get(i + 1));
      } else {
        values.put(option, words.get(i + 1));
      }
    }
    return new ExecutorArguments(
        driver(required(values, DRIVER_URL)),
        required(values, EXECUTOR_ID),
        required(values, HOSTNAME),
        cores(required(values, CORES)),
        required(values, APP_ID),
        classPath);
  }

  /// The words that [#parse] reads.
  public List<String> words() {
    List<String> words =
        new java.util.ArrayList<>(
            List.of(
                DRIVER_URL,
                URL_PREFIX + driver,
                EXECUTOR_ID,
                executorId,
                HOSTNAME,
                hostname,
                CORES,
                Integer.toString(cores),
                APP_ID,
                applicationId));
    for (String entry : userClassPath) {
      words.add(USER_CLASS_PATH);
      words.add(entry);
    }
    return words;
  }

  private static List<String> sorted() {
    return OPTIONS.stream().sorted().toList();
  }

  private static String required(Map<String, String> values, String option) {
    String value = values.get(option);
    if (value == null || value.isEmpty()) {
      throw invalid(option + " is missing");
    }
    return value;
  }

  private static NodeAddress driver(String url) {
    if (!url.startsWith(URL_PREFIX)) {
      throw invalid(DRIVER_URL + " is '" + url + "'; it begins with " + URL_PREFIX);
    }
    return NodeAddress.parse(url.substring(URL_PREFIX.length()));
  }

  private static int cores(String text) {
    try {
      int cores = Integer.parseInt(text);
      if (cores >= 1) {
        return cores;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw invalid(CORES + " is '" + text + "'; it is a whole number from 1");
  }

  private static KilnException invalid(String why) {
    return new KilnException(
        "EXECUTOR_ARGUMENTS_INVALID",
        KilnException.Kind.USER,
        "the executor can't start: " + why + " (executors are started by a cluster manager)");
  }
}
