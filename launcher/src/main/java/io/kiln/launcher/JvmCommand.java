package io.kiln.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The command that starts a JVM, built up part by part.
final class JvmCommand {

  private static final String DEFAULT_HEAP = "1g";
  private static final String DRIVER_CACHE = "driver";
  private static final String LIBRARY_PATH =
      System.getProperty("os.name", "").startsWith("Mac") ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH";

  private final Installation installation;
  private final Map<String, String> environment;
  private final List<String> userOptions = new ArrayList<>();
  private final List<String> classPath = new ArrayList<>();
  private String heap = "";
  private String libraryPath = "";
  private String aotCache = DRIVER_CACHE;
  private boolean startsExecutors;

  JvmCommand(Installation installation, Map<String, String> environment) {
    this.installation = installation;
    this.environment = environment;
  }

  /// @param value a size, or null for what the environment says, else the default
  JvmCommand heap(String value, String what) {
    heap = MemorySize.forJvm(value == null ? heapOfEnvironment() : value, what);
    return this;
  }

  private String heapOfEnvironment() {
    String driver = environment.getOrDefault("SPARK_DRIVER_MEMORY", "");
    String any = environment.getOrDefault("SPARK_MEM", "");
    return !driver.isEmpty() ? driver : !any.isEmpty() ? any : DEFAULT_HEAP;
  }

  /// @param line options as a shell would read them, or null
  JvmCommand options(String line, String what) {
    if (line != null && !line.isBlank()) {
      userOptions.addAll(OptionWords.split(line, what));
    }
    return this;
  }

  /// Like [#options], but the size of the heap must be left to its own setting.
  JvmCommand optionsWithoutHeap(String line, String what) {
    if (line != null && !line.isBlank()) {
      for (String option : OptionWords.split(line, what)) {
        if (option.startsWith("-Xmx")) {
          throw new Refusal(
              what + " must not set the largest heap (" + option + "): use --driver-memory");
        }
        userOptions.add(option);
      }
    }
    return this;
  }

  /// The options of `conf/java-opts`, when it is there.
  JvmCommand optionsOfConfDirectory() {
    Path file = installation.confDirectory().resolve("java-opts");
    if (!Files.isRegularFile(file)) {
      return this;
    }
    try {
      return options(Files.readString(file), file.toString());
    } catch (IOException e) {
      throw new Refusal(file + " cannot be read: " + e.getMessage());
    }
  }

  JvmCommand libraryPath(String value) {
    libraryPath = value == null ? "" : value;
    return this;
  }

  /// The shell has a cache of its own, as it compiles: what a cache holds is loaded at every start.
  JvmCommand forShell() {
    aotCache = "shell";
    return this;
  }

  /// So has a driver that talks to executors. It starts them from a cache too.
  JvmCommand forExecutors() {
    startsExecutors = true;
    if (aotCache.equals(DRIVER_CACHE)) {
      aotCache = "cluster";
    }
    return this;
  }

  JvmCommand classPath(Path entry) {
    classPath.add(entry.toString());
    return this;
  }

  /// @param path of several entries, as a JVM takes it; may be empty
  JvmCommand classPathOf(String path) {
    if (!path.isEmpty()) {
      classPath.add(path);
    }
    return this;
  }

  JvmCommand engineClassPath() {
    for (Path jar : installation.jars()) {
      classPath(jar);
    }
    return this;
  }

  List<String> build(String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>();
    if (!libraryPath.isEmpty()) {
      command.add("env");
      command.add(LIBRARY_PATH + "=" + prepended(libraryPath, environment.get(LIBRARY_PATH)));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(String.join(File.pathSeparator, classPath));
    if (!heap.isEmpty()) {
      command.add("-Xmx" + heap);
    }
    addOwnOptions(command);
    command.addAll(userOptions);
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }

  private static String prepended(String path, String existing) {
    return existing == null || existing.isEmpty() ? path : path + File.pathSeparator + existing;
  }

  /// Each of these is repeated in `docs/decisions/0003-start-up.md` with what it brings.
  private void addOwnOptions(List<String> command) {
    if (!choosesCollector()) {
      command.add("-XX:+UseParallelGC");
    }
    command.add("-XX:-UsePerfData");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    addAotCache(command);
  }

  private boolean choosesCollector() {
    String elsewhere = environment.getOrDefault("KILN_OTHER_JVM_OPTIONS", "");
    for (String option : userOptions) {
      if (isCollector(option)) {
        return true;
      }
    }
    return elsewhere.contains("GC") && elsewhere.contains("-XX:+Use");
  }

  private static boolean isCollector(String option) {
    return option.startsWith("-XX:+Use") && option.endsWith("GC");
  }

  /// Another cache than the driver's may not have been made yet, and then that one is better than
  /// none.
  private void addAotCache(List<String> command) {
    String recorded = environment.getOrDefault(AotCache.RECORD_VARIABLE, "");
    Path directory = installation.aotDirectory();
    List<String> options = new AotCache(directory, aotCache, recorded).options(classPath);
    if (options.isEmpty() && !aotCache.equals(DRIVER_CACHE)) {
      options = new AotCache(directory, DRIVER_CACHE, "").options(classPath);
    }
    command.addAll(options);
    if (startsExecutors) {
      command.add("-D" + AotCache.DIRECTORY_PROPERTY + "=" + directory);
      command.add("-Dio.netty.jfr.enabled=false"); // its events cost a start 100 ms
    }
  }
}
