package io.kiln.node;

import io.kiln.base.settings.ByteSize;
import io.kiln.base.settings.PrivateSettings;
import io.kiln.cluster.protocol.Command;
import io.kiln.cluster.protocol.DescriptionCheck;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.launcher.Main;
import io.kiln.launcher.OptionWords;
import io.kiln.launcher.Refusal;
import java.io.File;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// A driver that somebody wants to run in the cluster. Nothing that it names is opened here: that
/// is the worker's, which runs the driver.
///
/// @param resource the application's jar
/// @param arguments of its program
/// @param environment that the driver's process gets
/// @param properties `spark.*` settings
public record RequestedDriver(
    String resource,
    String mainClass,
    List<String> arguments,
    Map<String, String> environment,
    Map<String, String> properties) {

  /// The main class in the driver's JVM, where the driver runs as in client mode.
  private static final String MAIN_CLASS = Main.SUBMIT_CLASS;

  private static final String JARS = "spark.jars";

  /// With the name of a variable that the driver is to have.
  private static final String ENVIRONMENT = "spark.kiln.driverEnv.";

  /// They say where things are on the submitter's host.
  private static final Set<String> VARIABLES_OF_ONE_HOST =
      Set.of(
          "SPARK_ENV_LOADED",
          "SPARK_HOME",
          "SPARK_CONF_DIR",
          "SPARK_LOCAL_IP",
          "SPARK_LOCAL_HOSTNAME",
          "SPARK_LOCAL_DIRS");

  private static final long DEFAULT_MEMORY_BYTES = 1L << 30;
  private static final int MEBIBYTE_SHIFT = 20;

  /// A property's value is of no use; says which, and what it should be.
  public static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    private Unusable(String why) {
      super(why, null, false, false);
    }
  }

  /// What the master is asked to launch.
  ///
  /// @param masters by which the driver reaches masters, `spark://host:port[,host:port...]`
  public DriverDescription describe(String masters) throws Unusable {
    Map<String, String> own = new LinkedHashMap<>(PrivateSettings.without(properties));
    own.put("spark.master", masters);
    own.computeIfPresent(JARS, (_, jars) -> withoutResource(jars));
    long memory = size("spark.driver.memory", DEFAULT_MEMORY_BYTES) >> MEBIBYTE_SHIFT;
    if (memory < 1 || memory > Integer.MAX_VALUE) {
      throw unusable("spark.driver.memory", "a size from 1m on");
    }
    long _ = size("spark.executor.memory", DEFAULT_MEMORY_BYTES);
    int _ = count("spark.cores.max");
    DriverDescription described =
        new DriverDescription(
            resource,
            (int) memory,
            count("spark.driver.cores"),
            flag("spark.driver.supervise"),
            command(),
            own);
    String problem = DescriptionCheck.problem(described);
    if (!problem.isEmpty()) {
      throw new Unusable(problem);
    }
    return described;
  }

  /// What was asked for, but nothing that belongs to the submitter's host.
  private Map<String, String> environment(Map<String, String> asked) {
    Map<String, String> environment = new TreeMap<>(asked);
    environment
        .keySet()
        .removeIf(
            name ->
                VARIABLES_OF_ONE_HOST.contains(name)
                    || (name.startsWith("SPARK_") && name.endsWith("_OPTS")));
    properties.forEach(
        (key, value) -> {
          if (key.startsWith(ENVIRONMENT)) {
            environment.put(key.substring(ENVIRONMENT.length()), value);
          }
        });
    return environment;
  }

  /// Clients list it, but the driver gets it as its application.
  private String withoutResource(String jars) {
    List<String> others = new ArrayList<>(List.of(jars.split(",", -1)));
    others.removeIf(each -> each.isBlank() || each.trim().equals(resource));
    return String.join(",", others);
  }

  private Command command() throws Unusable {
    List<String> words =
        new ArrayList<>(List.of("--deploy-mode", "client", "--class", mainClass, "{{USER_JAR}}"));
    words.addAll(arguments);
    List<String> javaOptions = words("spark.driver.defaultJavaOptions");
    javaOptions.addAll(words("spark.driver.extraJavaOptions"));
    return new Command(
        MAIN_CLASS,
        words,
        environment(environment),
        paths("spark.driver.extraClassPath"),
        paths("spark.driver.extraLibraryPath"),
        javaOptions);
  }

  private List<String> words(String key) throws Unusable {
    try {
      return new ArrayList<>(OptionWords.split(properties.getOrDefault(key, ""), key));
    } catch (Refusal e) {
      throw new Unusable(e.getMessage());
    }
  }

  private List<String> paths(String key) {
    String text = properties.getOrDefault(key, "");
    return text.isEmpty() ? List.of() : List.of(text.split(File.pathSeparator, -1));
  }

  private long size(String key, long otherwise) throws Unusable {
    String text = properties.get(key);
    try {
      return text == null ? otherwise : ByteSize.parse(text, ByteSize.Unit.BYTES);
    } catch (IllegalArgumentException e) {
      throw unusable(key, "a size such as 512m");
    }
  }

  private int count(String key) throws Unusable {
    String text = properties.getOrDefault(key, "1").trim();
    try {
      int count = Integer.parseInt(text);
      if (count > 0) {
        return count;
      }
    } catch (NumberFormatException e) {
      // as below
    }
    throw unusable(key, "a whole number from 1");
  }

  private boolean flag(String key) throws Unusable {
    return switch (properties.getOrDefault(key, "false").trim()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw unusable(key, "true or false");
    };
  }

  private static Unusable unusable(String key, String expected) {
    return new Unusable("sparkProperties has a " + key + " that is not " + expected);
  }
}
