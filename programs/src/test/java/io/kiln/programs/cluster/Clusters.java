package io.kiln.programs.cluster;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.base.resource.FileTree;
import io.kiln.process.ProcessSecrets;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Contexts whose executors are processes, for tests.
final class Clusters {
  private Clusters() {}

  /// @param scratch holds all that the application writes
  static KilnConf conf(String master, Path scratch) {
    return new KilnConf(false)
        .setMaster(master)
        .setAppName("test")
        .set("spark.local.dir", scratch.toString())
        .set("spark.shuffle.io.retryWait", "100ms");
  }

  /// What executors wrote that were lost stays for the user; here nobody wants it.
  static void removeOutputsOfLost(Path scratch) throws IOException {
    try (DirectoryStream<Path> lost = Files.newDirectoryStream(scratch, "*-lost")) {
      for (Path directory : lost) {
        FileTree.remove(directory);
      }
    }
  }

  /// The processes that run for the context; this JVM may have started others.
  static List<ProcessHandle> processes(KilnContext context) {
    return ProcessHandle.current()
        .children()
        .filter(child -> commandLine(child.pid()).contains(context.applicationId()))
        .toList();
  }

  /// What an executor proves to others of its application, as it got it.
  static String secretOf(KilnContext context) {
    return context
        .range(0, 1, 1, 1)
        .map(_ -> ProcessSecrets.find(ProcessSecrets.OF_APPLICATION).orElseThrow())
        .first();
  }

  private static String commandLine(long pid) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
    } catch (IOException e) {
      return ""; // it has just ended
    }
  }

  /// The ids of the executors' processes, once each slot has been seen.
  static List<Long> executors(KilnContext context, int tasks) {
    return context
        .range(0, tasks, 1, tasks)
        .map(
            _ -> {
              long begin = System.nanoTime();
              while (System.nanoTime() - begin < 50_000_000) {
                Thread.onSpinWait(); // long enough for the other slots to take tasks too
              }
              return ProcessHandle.current().pid();
            })
        .collect()
        .stream()
        .distinct()
        .toList();
  }
}
