package io.kiln.driver.cluster;

import io.kiln.api.KilnException;
import io.kiln.base.resource.FileTree;
import io.kiln.executor.process.ExecutorArguments;
import io.kiln.network.transport.NodeAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Executors' processes on this machine: starts them, watches them, cleans up behind them.
/// Thread-safe.
///
/// Each has a directory of its own for what it writes, its standard output and error among it,
/// which goes when the process has gone, however it went.
public final class LocalCluster implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalCluster.class);
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(5);

  /// Hears of processes.
  public interface Watch {
    /// Called once for each process, on a thread of its own.
    ///
    /// @param why one line
    void ended(String executorId, int exitCode, String why);
  }

  private final Application application;
  private final Optional<ApplicationSecret> secret;
  private final ExecutorJvm jvm;
  private final int cores;
  private final Path directory;
  private final Watch watch;
  private final Map<String, Process> processes = new ConcurrentHashMap<>();
  private volatile boolean closing;

  /// @param heapBytes of each executor
  /// @param cores how many tasks each runs at once
  public LocalCluster(
      Application application,
      Optional<ApplicationSecret> secret,
      long heapBytes,
      int cores,
      Watch watch) {
    this.application = application;
    this.secret = secret;
    this.jvm = new ExecutorJvm(application.settings(), heapBytes);
    this.cores = cores;
    this.directory =
        application
            .scratch()
            .resolve("kiln-executors-" + ProcessHandle.current().pid() + "-" + application.id());
    this.watch = watch;
  }

  /// Starts one more.
  ///
  /// @param driver where it finds the driver
  /// @throws KilnException `EXECUTOR_NOT_STARTED`
  public void launch(String executorId, NodeAddress driver) {
    Path own = directory.resolve(executorId);
    List<String> command =
        jvm.command(
            new ExecutorArguments(
                driver, executorId, driver.host(), cores, application.id(), List.of()));
    try {
      Files.createDirectories(own);
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(own.resolve("stdout").toFile())
              .redirectError(own.resolve("stderr").toFile());
      ExecutorJvm.setEnvironment(builder.environment(), secret, own);
      Process process = builder.start();
      processes.put(executorId, process);
      Thread.ofVirtual()
          .name("kiln-watch-" + executorId)
          .start(() -> await(executorId, process, own));
    } catch (IOException e) {
      throw new KilnException(
          "EXECUTOR_NOT_STARTED",
          KilnException.Kind.RESOURCES,
          "the process of executor " + executorId + " can't be started: " + e.getMessage(),
          e);
    }
    if (closing) {
      processes.values().forEach(Process::destroyForcibly);
    }
  }

  private void await(String executorId, Process process, Path own) {
    int exitCode;
    try {
      exitCode = process.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // nobody interrupts it
    }
    String why = ProcessEnd.describe(exitCode, own.resolve("stderr"));
    remove(own);
    processes.remove(executorId, process);
    watch.ended(executorId, exitCode, why);
  }

  /// Ends a process that nobody wants any more.
  public void kill(String executorId) {
    Process process = processes.get(executorId);
    if (process != null) {
      process.destroyForcibly();
    }
  }

  /// Waits for the processes to end, which somebody else has told them to, and kills those that
  /// don't. Idempotent.
  @Override
  public void close() {
    closing = true;
    long deadline = System.nanoTime() + ENDS_WITHIN.toNanos();
    boolean interrupted = false;
    for (Process process : List.copyOf(processes.values())) {
      try {
        if (interrupted
            || !process.waitFor(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        interrupted = true;
      }
    }
    for (Process process : List.copyOf(processes.values())) {
      process.onExit().join(); // killed ones end for sure
    }
    remove(directory);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void remove(Path tree) {
    try {
      FileTree.remove(tree);
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("{} can't be removed: {}", tree, e.toString());
    }
  }
}
