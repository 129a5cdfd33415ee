package io.kiln.launcher;

import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Prints the command of a JVM, each word followed by a NUL, for `bin/spark-class` to run.
///
/// The first argument is the class to start. `spark-submit`'s own gets the driver's memory, options
/// and class path from the command line, the conf files and the environment; any other is started
/// with the engine on its class path.
public final class Main {

  /// What people and scripts call `spark-submit`'s main class.
  static final String SUBMIT_ALIAS = "org.apache.spark.deploy.SparkSubmit";

  /// The main class of a process that runs an application's program.
  public static final String SUBMIT_CLASS = "io.kiln.submit.SparkSubmit";
  static final String EXAMPLE_PACKAGE = "io.kiln.examples.";

  private static final String EXAMPLE_ALIAS_PACKAGE = "org.apache.spark.examples.";
  private static final String DAEMON_HEAP = "1g";
  private static final String RUN_EXAMPLE = "run-example";

  private Main() {}

  public static void main(String[] arguments) {
    Map<String, String> environment = System.getenv();
    try {
      List<String> command =
          command(List.of(arguments), environment, Installation.fromScript(environment));
      if (!environment.getOrDefault("SPARK_PRINT_LAUNCH_COMMAND", "").isEmpty()) {
        System.err.println("Spark Command: " + String.join(" ", Secrets.redact(command)));
        System.err.println("========================================");
      }
      print(command);
    } catch (Refusal refusal) {
      System.err.println("Error: " + refusal.getMessage());
      System.exit(Refusal.EXIT_CODE);
    }
  }

  private static void print(List<String> command) {
    StringBuilder words = new StringBuilder();
    for (String word : command) {
      words.append(word).append('\0');
    }
    byte[] bytes = words.toString().getBytes(argumentEncoding());
    PrintStream out = System.out;
    out.write(bytes, 0, bytes.length);
    out.flush();
  }

  /// Arguments came in by this encoding, so they leave by it.
  private static Charset argumentEncoding() {
    String name = System.getProperty("sun.jnu.encoding", "UTF-8");
    return Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
  }

  static List<String> command(
      List<String> arguments, Map<String, String> environment, Installation installation) {
    if (arguments.isEmpty()) {
      throw new Refusal("No class to start: spark-class CLASS [arguments]");
    }
    String mainClass = arguments.getFirst();
    List<String> rest = arguments.subList(1, arguments.size());
    if (mainClass.equals(SUBMIT_ALIAS) || mainClass.equals(SUBMIT_CLASS)) {
      return submitCommand(rest, environment, installation);
    }
    Optional<Daemon> daemon = Daemon.named(mainClass);
    if (daemon.isPresent()) {
      return daemonCommand(daemon.get(), rest, environment, installation);
    }
    return new JvmCommand(installation, environment)
        .heap(null, "SPARK_DRIVER_MEMORY")
        .classPath(installation.confDirectory())
        .engineClassPath()
        .build(mainClass, rest);
  }

  private static List<String> daemonCommand(
      Daemon daemon,
      List<String> arguments,
      Map<String, String> environment,
      Installation installation) {
    String memory = environment.getOrDefault("SPARK_DAEMON_MEMORY", "");
    return new JvmCommand(installation, environment)
        .heap(memory.isEmpty() ? DAEMON_HEAP : memory, "SPARK_DAEMON_MEMORY")
        .engineClassPath()
        .classPathOf(environment.getOrDefault("SPARK_DAEMON_CLASSPATH", ""))
        .forExecutors()
        .options(environment.get("SPARK_DAEMON_JAVA_OPTS"), "SPARK_DAEMON_JAVA_OPTS")
        .options(environment.get(daemon.optionsVariable()), daemon.optionsVariable())
        .build(daemon.mainClass(), arguments);
  }

  private static List<String> submitCommand(
      List<String> words, Map<String, String> environment, Installation installation) {
    List<String> arguments =
        !words.isEmpty() && words.getFirst().equals(RUN_EXAMPLE)
            ? exampleArguments(words.subList(1, words.size()), installation)
            : words;
    CommandLine line = CommandLine.parse(arguments);
    JvmCommand command = new JvmCommand(installation, environment).engineClassPath();
    if (asksOnlyAboutUs(line)) {
      return command.heap(null, "SPARK_DRIVER_MEMORY").build(SUBMIT_CLASS, arguments);
    }
    if (line.isShell()) {
      command.forShell();
    }
    SubmitSettings settings =
        SubmitSettings.resolve(
            line, environment, installation.confDirectory(), new EveryOptionApplies());
    if (!runsInDriver(settings.value("spark.master"))) {
      command.forExecutors();
    }
    if (!settings.isClusterMode()) {
      String memory = "spark.driver.memory";
      String defaultOptions = "spark.driver.defaultJavaOptions";
      String extraOptions = "spark.driver.extraJavaOptions";
      command
          .heap(settings.value(memory), settings.culprit(memory))
          .optionsWithoutHeap(settings.value(defaultOptions), defaultOptions)
          .optionsWithoutHeap(settings.value(extraOptions), settings.culprit(extraOptions))
          .libraryPath(settings.value("spark.driver.extraLibraryPath"));
    }
    return command
        .optionsOfConfDirectory()
        .options(environment.get("SPARK_SUBMIT_OPTS"), "SPARK_SUBMIT_OPTS")
        .build(SUBMIT_CLASS, arguments);
  }

  private static boolean runsInDriver(String master) {
    return master.equals("local") || master.startsWith("local[");
  }

  private static boolean asksOnlyAboutUs(CommandLine line) {
    return line.has(SubmitOption.HELP)
        || line.has(SubmitOption.VERSION)
        || line.has(SubmitOption.USAGE_ERROR);
  }

  /// `[options] CLASS [arguments]` becomes the same with the examples' jar as the resource.
  private static List<String> exampleArguments(List<String> words, Installation installation) {
    CommandLine line = CommandLine.parse(words);
    if (line.arguments().isEmpty()) {
      if (asksOnlyAboutUs(line)) {
        return words;
      }
      throw new Refusal(
          "No example to run: run-example [options] CLASS [arguments], as in run-example SparkPi"
              + " 10");
    }
    List<Path> jars = installation.exampleJars();
    if (jars.isEmpty()) {
      throw new Refusal(
          "This installation has no examples in " + installation.layout().resolve("examples/jars"));
    }
    int options = words.size() - line.arguments().size();
    List<String> arguments = new ArrayList<>(words.subList(0, options));
    arguments.add("--class");
    arguments.add(exampleClass(line.arguments().getFirst()));
    arguments.add(jars.getFirst().toString());
    arguments.addAll(line.arguments().subList(1, line.arguments().size()));
    return arguments;
  }

  private static String exampleClass(String name) {
    String simple =
        name.startsWith(EXAMPLE_ALIAS_PACKAGE)
            ? name.substring(EXAMPLE_ALIAS_PACKAGE.length())
            : name;
    return simple.indexOf('.') < 0 || !simple.equals(name) ? EXAMPLE_PACKAGE + simple : simple;
  }
}
