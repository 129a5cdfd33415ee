package io.kiln.launcher;

import io.kiln.launcher.channel.ChannelListener;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;

/// Starts applications from a program, by the `bin/spark-submit` of an installation.
///
/// Describe the application. Then call [#startApplication] for a handle that tells how the
/// application is and can end it, or [#launch] for the bare process. One launcher may start several
/// applications, one after the other; each runs in a new JVM. Only one thread may use a launcher.
///
/// Settings and arguments go on the process's command line, which others on the machine can
/// read. Give passwords by [#setPropertiesFile].
///
/// A method refuses an argument that it can't take with an [IllegalArgumentException]. No argument
/// may be null.
public final class KilnLauncher {

  /// The key for the logger that gets what applications print, if it is not redirected. By default
  /// the logger is named `io.kiln.launcher.app.` and the application's name. See [#setConfig].
  public static final String CHILD_PROCESS_LOGGER_NAME = "spark.launcher.childProcLoggerName";

  /// The key for how long a caller of the channel may take to prove that it is the application, in
  /// milliseconds. By default that is 10000. The key is spelt as it is in Apache Spark. See
  /// [#setConfig].
  public static final String CHILD_CONNECTION_TIMEOUT = "spark.launcher.childConectionTimeout";

  /// What `bin/spark-class` hands to the application, and to none of the application's children.
  private static final String PORT_VARIABLE = "_SPARK_LAUNCHER_PORT";

  private static final String SECRET_VARIABLE = "_SPARK_LAUNCHER_SECRET";

  private static final String CONFIG_PREFIX = "spark.launcher.";
  private static final String HOME_VARIABLE = "SPARK_HOME";
  private static final Map<String, String> CONFIG = new ConcurrentHashMap<>();

  private final SubmitWords words = new SubmitWords();
  private final Map<String, String> config = new HashMap<>();
  private final Map<String, String> environment = new HashMap<>();
  private final ProcessBuilder redirects = new ProcessBuilder();
  private String loggerName = "";

  public KilnLauncher() {}

  /// @param environment variables that the applications get besides those of this process
  public KilnLauncher(Map<String, String> environment) {
    this.environment.putAll(Map.copyOf(environment));
  }

  /// Configures all launchers of this JVM.
  ///
  /// @param key [#CHILD_PROCESS_LOGGER_NAME] or [#CHILD_CONNECTION_TIMEOUT]
  public static void setConfig(String key, String value) {
    CONFIG.put(checkedConfigKey(key), checkedConfigValue(key, value));
  }

  private static String checkedConfigKey(String key) {
    if (!key.equals(CHILD_PROCESS_LOGGER_NAME) && !key.equals(CHILD_CONNECTION_TIMEOUT)) {
      throw new IllegalArgumentException(
          "a launcher has "
              + CHILD_PROCESS_LOGGER_NAME
              + " and "
              + CHILD_CONNECTION_TIMEOUT
              + " to configure, and not "
              + key);
    }
    return key;
  }

  private static String checkedConfigValue(String key, String value) {
    if (key.equals(CHILD_CONNECTION_TIMEOUT) && !value.matches("0*[1-9][0-9]{0,8}")) {
      throw new IllegalArgumentException(
          key + " is a number of milliseconds from 1, and not '" + value + "'");
    }
    return value;
  }

  private String configured(String key, String otherwise) {
    return config.getOrDefault(key, CONFIG.getOrDefault(key, otherwise));
  }

  // ---- what to run ----------------------------------------------------------------------------

  /// Sets the name that people see. By default it is the main class.
  public KilnLauncher setAppName(String name) {
    return put(SubmitOption.NAME, name);
  }

  /// Sets where the application runs, as in `local[*]`.
  public KilnLauncher setMaster(String master) {
    return put(SubmitOption.MASTER, master);
  }

  /// @param mode `client` or `cluster`
  public KilnLauncher setDeployMode(String mode) {
    return put(SubmitOption.DEPLOY_MODE, mode);
  }

  /// Sets the main class. By default it is the one that the application's jar names.
  public KilnLauncher setMainClass(String mainClass) {
    return put(SubmitOption.CLASS, mainClass);
  }

  /// Sets the application's jar.
  public KilnLauncher setAppResource(String path) {
    words.resource(path);
    return this;
  }

  /// Adds arguments of the program's main method, after those that were added before.
  public KilnLauncher addAppArgs(String... arguments) {
    for (String argument : arguments) {
      words.addArgument(Objects.requireNonNull(argument, "an argument is null"));
    }
    return this;
  }

  /// Adds a jar for the driver and the tasks.
  public KilnLauncher addJar(String jar) {
    return append(SubmitOption.JARS, jar);
  }

  /// Adds a file, which `KilnFiles.get(NAME)` finds in the driver and in tasks.
  public KilnLauncher addFile(String file) {
    return append(SubmitOption.FILES, file);
  }

  /// Adds a Python module, for a Python program.
  public KilnLauncher addPyFile(String file) {
    return append(SubmitOption.PY_FILES, file);
  }

  private KilnLauncher append(SubmitOption list, String item) {
    if (item.isEmpty() || item.indexOf(',') >= 0) {
      throw new IllegalArgumentException(
          list.spelling() + " separates its items by commas, so none can be '" + item + "'");
    }
    return put(list, item);
  }

  /// Sets a setting of the application. Keys that begin with `spark.launcher.` configure this
  /// launcher, as [#setConfig] configures all launchers.
  public KilnLauncher setConf(String key, String value) {
    Objects.requireNonNull(value, "the value of " + key + " is null");
    if (key.startsWith(CONFIG_PREFIX)) {
      config.put(checkedConfigKey(key), checkedConfigValue(key, value));
    } else {
      words.putSetting(key, value);
    }
    return this;
  }

  /// Names a file of settings, which is read in place of `conf/spark-defaults.conf`.
  public KilnLauncher setPropertiesFile(String path) {
    return put(SubmitOption.PROPERTIES_FILE, path);
  }

  /// Sets whether `spark-submit` says what it is about to run.
  public KilnLauncher setVerbose(boolean verbose) {
    if (verbose) {
      words.put(SubmitOption.VERBOSE);
    } else {
      words.remove(SubmitOption.VERBOSE);
    }
    return this;
  }

  /// Adds an option of `spark-submit` that takes no value.
  ///
  /// @param name with its dashes, as in `--supervise`
  public KilnLauncher addSparkArg(String name) {
    words.put(SubmitWords.option(name));
    return this;
  }

  /// Adds an option of `spark-submit` with its value.
  ///
  /// @param name with its dashes, as in `--driver-memory`
  public KilnLauncher addSparkArg(String name, String value) {
    return put(SubmitWords.option(name), value);
  }

  private KilnLauncher put(SubmitOption option, String value) {
    words.put(option, Objects.requireNonNull(value, option.spelling() + " is null"));
    return this;
  }

  // ---- how to run it --------------------------------------------------------------------------

  /// Sets the installation whose `bin/spark-submit` is run. By default it is the environment's
  /// `SPARK_HOME`.
  public KilnLauncher setSparkHome(String home) {
    environment.put(HOME_VARIABLE, home);
    return this;
  }

  /// Sets the JDK of the application. By default it is the one that the scripts find.
  public KilnLauncher setJavaHome(String home) {
    if (!Files.isExecutable(Path.of(home, "bin", "java"))) {
      throw new IllegalArgumentException("there is no JDK in " + home + ": it has no bin/java");
    }
    environment.put("JAVA_HOME", home);
    return this;
  }

  /// Sets the application's working directory. By default it is that of this process.
  public KilnLauncher directory(File directory) {
    redirects.directory(Objects.requireNonNull(directory));
    return this;
  }

  public KilnLauncher redirectOutput(File file) {
    return redirectOutput(Redirect.to(file));
  }

  public KilnLauncher redirectOutput(Redirect to) {
    redirects.redirectOutput(to);
    return this;
  }

  /// Sends the error stream where the output goes.
  public KilnLauncher redirectError() {
    redirects.redirectErrorStream(true);
    return this;
  }

  public KilnLauncher redirectError(File file) {
    return redirectError(Redirect.to(file));
  }

  public KilnLauncher redirectError(Redirect to) {
    redirects.redirectErrorStream(false);
    redirects.redirectError(to);
    return this;
  }

  /// Sends the output that is not redirected elsewhere to a logger of `java.util.logging`. Each
  /// line becomes an `INFO` message.
  public KilnLauncher redirectToLog(String name) {
    loggerName = Objects.requireNonNull(name);
    return this;
  }

  // ---- starting it ----------------------------------------------------------------------------

  /// Starts the application as a process, and then leaves it alone. The caller has to read the
  /// output that is not redirected.
  ///
  /// @throws IOException if it can't be started
  /// @throws IllegalStateException if there is nothing to start
  public Process launch() throws IOException {
    return start(builder(), loggerName);
  }

  /// Starts the application and watches it. Its standard input is empty. Its output goes to a
  /// logger unless it is redirected.
  ///
  /// @param listeners hear of every change, from the first on
  /// @throws IOException if it can't be started
  /// @throws IllegalStateException if there is nothing to start
  public AppHandle startApplication(AppHandle.Listener... listeners) throws IOException {
    List<AppHandle.Listener> all = List.of(listeners);
    ProcessBuilder builder = builder();
    Duration limit =
        Duration.ofMillis(Integer.parseInt(configured(CHILD_CONNECTION_TIMEOUT, "10000")));
    ChannelListener channel = new ChannelListener(limit);
    builder.redirectInput(new File("/dev/null"));
    try {
      builder.environment().put(PORT_VARIABLE, Integer.toString(channel.port()));
      builder.environment().put(SECRET_VARIABLE, channel.secret().reveal());
      return AppHandle.watch(start(builder, loggerNameOrDefault()), channel, all);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private String loggerNameOrDefault() {
    return loggerName.isEmpty()
        ? configured(CHILD_PROCESS_LOGGER_NAME, "io.kiln.launcher.app." + words.title())
        : loggerName;
  }

  private ProcessBuilder builder() throws IOException {
    Path submit = home().resolve("bin/spark-submit");
    if (!Files.isExecutable(submit)) {
      throw new IOException(submit + " can't be run; set SPARK_HOME to an installation of Kiln");
    }
    ProcessBuilder builder = new ProcessBuilder(words.words());
    builder.command().addFirst(submit.toString());
    checkEncoding(builder.command());
    builder.directory(redirects.directory());
    builder.environment().remove(PORT_VARIABLE);
    builder.environment().remove(SECRET_VARIABLE);
    builder.environment().putAll(environment);
    builder.environment().put(HOME_VARIABLE, home().toString());
    builder.redirectErrorStream(redirects.redirectErrorStream());
    builder.redirectOutput(redirects.redirectOutput());
    builder.redirectError(redirects.redirectError());
    return builder;
  }

  private Path home() {
    String home =
        environment.getOrDefault(HOME_VARIABLE, System.getenv().getOrDefault(HOME_VARIABLE, ""));
    if (home.isEmpty()) {
      throw new IllegalStateException(
          "there is no installation to launch with: call setSparkHome, or set SPARK_HOME");
    }
    return Path.of(home);
  }

  /// The JDK puts a question mark where the locale's encoding has no character.
  private static void checkEncoding(List<String> command) {
    Charset encoding = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    for (String word : command) {
      if (!encoding.newEncoder().canEncode(word)) {
        throw new IllegalStateException(
            "a word of the command has characters that this JVM's encoding, "
                + encoding
                + ", has not: start the JVM in a UTF-8 locale");
      }
    }
  }

  /// @param logger of what the builder redirects nowhere; empty if that is the caller's to read
  private static Process start(ProcessBuilder builder, String logger) throws IOException {
    if (logger.isEmpty()) {
      return builder.start();
    }
    boolean logsOutput = builder.redirectOutput().equals(Redirect.PIPE);
    boolean logsErrors =
        builder.redirectError().equals(Redirect.PIPE) && !builder.redirectErrorStream();
    if (logsOutput && logsErrors) {
      builder.redirectErrorStream(true);
    }
    Process process = builder.start();
    if (logsOutput) {
      ChildOutput.copy(process.inputReader(), Logger.getLogger(logger));
    } else if (logsErrors) {
      ChildOutput.copy(process.errorReader(), Logger.getLogger(logger));
    }
    return process;
  }
}
