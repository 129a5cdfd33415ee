package io.kiln.process;

import io.kiln.launcher.AotCache;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The command of a process that runs the engine's classes of this one.
///
/// @param cache which of the AOT caches suits it
public record EngineJvm(String cache) {
  /// Of a process that runs an application's tasks.
  public static final EngineJvm EXECUTOR = new EngineJvm("executor");

  /// Of a process that runs an application's program and has executors elsewhere.
  public static final EngineJvm DRIVER = new EngineJvm("cluster");

  private static final long MEBIBYTE = 1L << 20;

  /// @param options of the JVM, besides the engine's own
  public List<String> command(
      long heapBytes, List<String> options, String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    String classPath = System.getProperty("java.class.path");
    command.add("-cp");
    command.add(classPath);
    command.add("-Xmx" + Math.max(1, heapBytes / MEBIBYTE) + "m");
    if (options.stream().noneMatch(EngineJvm::isCollector)) {
      command.add("-XX:+UseParallelGC");
    }
    command.add("-XX:-UsePerfData");
    command.add("-Dio.netty.jfr.enabled=false");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(aotCache(classPath));
    command.addAll(options);
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }

  private List<String> aotCache(String classPath) {
    String directory = System.getProperty(AotCache.DIRECTORY_PROPERTY);
    return directory == null
        ? List.of()
        : new AotCache(
                Path.of(directory),
                cache,
                System.getenv().getOrDefault(AotCache.RECORD_VARIABLE, ""))
            .options(List.of(classPath.split(File.pathSeparator, -1)));
  }

  private static boolean isCollector(String option) {
    return option.startsWith("-XX:+Use") && option.endsWith("GC");
  }
}
