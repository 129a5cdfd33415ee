package io.kiln.driver.cluster;

import io.kiln.base.resource.FileTree;
import io.kiln.base.settings.ClusterSettings;
import io.kiln.base.settings.Settings;
import io.kiln.executor.process.ExecutorArguments;
import io.kiln.executor.process.ExecutorMain;
import io.kiln.network.transport.NodeAddress;
import io.kiln.process.ProcessDirectory;
import io.kiln.process.ProcessSecrets;
import io.kiln.process.ScratchDirectories;
import io.kiln.process.SharedSecret;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorLaunching;
import io.kiln.scheduler.allocation.AllocationMessage.LaunchFailed;
import io.kiln.scheduler.allocation.AllocationMessage.ManagerSaid;
import io.kiln.scheduler.allocation.AllocationMessage.ProcessExited;
import io.kiln.scheduler.allocation.ExecutorExit.Exited;
import io.kiln.scheduler.allocation.ExecutorRoster;
import io.kiln.scheduler.allocation.ExecutorTarget;
import io.kiln.scheduler.allocation.LaunchRequest;
import io.kiln.scheduler.allocation.LaunchRequest.ReleaseExecutor;
import io.kiln.scheduler.allocation.LaunchRequest.RequestExecutors;
import io.kiln.scheduler.allocation.LaunchRequest.StopExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Executors' processes on this machine: starts them, watches them, cleans up behind them.
/// Thread-safe.
///
/// Each has a directory of its own for what it writes, its standard output and error among it,
/// which goes when the process has gone, however it went; what a process wrote there that was lost
/// is kept elsewhere (see [LostOutputs]). The driver's lies beside them: if the
/// driver is killed, the last executor to leave removes them all.
final class LocalCluster implements ExecutorSource {
  private static final String HOST = "localhost";
  private static final Logger LOG = LoggerFactory.getLogger(LocalCluster.class);

  /// What there can be of executors.
  ///
  /// @param executors how many have room
  /// @param cores how many tasks each runs at once
  /// @param heapBytes of each
  record Shape(int executors, int cores, long heapBytes) {}

  private final Settings settings;
  private final Path directory;
  private final Optional<SharedSecret> secret;
  private final Shape shape;
  private final Consumer<AllocationMessage> allocation;
  private final String applicationId = LocalApplicationIds.next();
  private final Duration endsWithin;
  private final Map<String, Process> processes = new ConcurrentHashMap<>();
  private final Map<String, Thread> watchers = new ConcurrentHashMap<>();
  private final Set<String> dismissed = ConcurrentHashMap.newKeySet();

  // guarded by itself
  private final ExecutorRoster roster;

  private final LostOutputs outputs;
  private volatile NodeAddress driver;
  private volatile boolean closing;
  private volatile int wanted;

  /// @param directory made for this application; [#close] removes it
  /// @param allocation hears of processes, on any thread
  LocalCluster(
      Settings settings,
      Path directory,
      Optional<SharedSecret> secret,
      Shape shape,
      Consumer<AllocationMessage> allocation) {
    this.settings = settings;
    this.directory = directory;
    this.secret = secret;
    this.shape = shape;
    this.allocation = allocation;
    this.roster = new ExecutorRoster(shape.executors());
    this.wanted = Math.min(executors(), shape.executors());
    this.endsWithin = settings.get(ClusterSettings.END_TIMEOUT);
    this.outputs = new LostOutputs(directory.resolveSibling(directory.getFileName() + "-lost"));
  }

  @Override
  public String driverHost() {
    return HOST;
  }

  @Override
  public int slots() {
    return Math.clamp(wanted, 1, shape.executors()) * shape.cores();
  }

  @Override
  public int executors() {
    return settings.find(ClusterSettings.INSTANCES).orElse(shape.executors());
  }

  /// Beside the executors', so that all goes at once.
  @Override
  public ScratchDirectories driverScratch(ScratchDirectories usual) {
    return new ScratchDirectories(List.of(directory.resolve(ExecutorMain.DRIVER_DIRECTORY)));
  }

  @Override
  public String register(NodeAddress driverAddress) {
    driver = driverAddress;
    return applicationId;
  }

  /// All executors are on one host, so hosts that are wanted or avoided make no difference.
  @Override
  public void accept(LaunchRequest request) {
    switch (request) {
      case RequestExecutors wish -> fill(wish);
      case ReleaseExecutor(String id, _) -> {
        dismissed.add(id); // before it ends
        forget(id);
      }
      case StopExecutor(String id, _, boolean failed) -> {
        forget(id);
        Thread.ofVirtual().name("kiln-stop-" + id).start(() -> stop(id, failed));
      }
    }
  }

  private void fill(RequestExecutors request) {
    ExecutorTarget target = request.target();
    if (target.profileId() != ExecutorTarget.DEFAULT_PROFILE) {
      tell(new ManagerSaid("a local cluster has no resource profile " + target.profileId()));
      return;
    }
    if (target.isLimited()
        && target.executors() > shape.executors()
        && target.executors() != wanted) {
      LOG.warn(
          "{} executors are wanted, and this local cluster has room for {}",
          target.executors(),
          shape.executors());
    }
    wanted = target.executors();
    List<String> missing;
    synchronized (roster) {
      missing = roster.fill(request);
    }
    for (String id : missing) {
      Thread.ofVirtual().name("kiln-launch-" + id).start(() -> tell(launched(id)));
    }
  }

  private void forget(String executorId) {
    synchronized (roster) {
      roster.remove(executorId);
    }
  }

  private AllocationMessage launched(String executorId) {
    Path own = directory.resolve(executorId);
    try {
      List<String> command =
          ExecutorJvm.command(
              shape.heapBytes(),
              ExecutorJvm.options(settings),
              new ExecutorArguments(
                      driver, executorId, driver.host(), shape.cores(), applicationId, List.of())
                  .words());
      Files.createDirectories(own);
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectOutput(own.resolve(LostOutputs.STDOUT).toFile())
              .redirectError(own.resolve(LostOutputs.STDERR).toFile());
      builder.environment().putAll(ExecutorJvm.environment(settings));
      ExecutorJvm.setEnvironment(builder.environment(), own);
      give(ExecutorJvm.secrets(settings, secret), start(executorId, builder, own));
      return new ExecutorLaunching(executorId);
    } catch (IOException e) {
      forget(executorId);
      LOG.debug("Executor {} can't be started", executorId, e);
      return new LaunchFailed(executorId, "its process can't be started: " + e.getMessage());
    } catch (RuntimeException | Error e) { // lost, it would be waited for for ever
      forget(executorId);
      return new LaunchFailed(executorId, "its process can't be started: " + e);
    }
  }

  private Process start(String executorId, ProcessBuilder builder, Path own) throws IOException {
    synchronized (processes) {
      if (closing) {
        throw new IOException("the application is ending");
      }
      Process process = builder.start();
      Thread watcher =
          Thread.ofVirtual()
              .name("kiln-watch-" + executorId)
              .unstarted(() -> await(executorId, process, own));
      processes.put(executorId, process);
      watchers.put(executorId, watcher);
      watcher.start();
      return process;
    }
  }

  /// A process that has ended before it had read them is told of by its exit code.
  private static void give(Map<String, String> secrets, Process process) {
    try {
      ProcessSecrets.give(secrets, process);
    } catch (IOException e) {
      LOG.debug("Process {} has not read its secrets", process.pid(), e);
    }
  }

  private void await(String executorId, Process process, Path own) {
    int exitCode;
    try {
      exitCode = process.waitFor(); // not onExit, which others can hold up in the common pool
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // nobody interrupts this thread
    }
    boolean wanted = dismissed.remove(executorId) || closing;
    String lastWords = "";
    try {
      lastWords = wanted ? "" : outputs.keep(executorId, own);
      remove(own);
    } finally {
      processes.remove(executorId);
      watchers.remove(executorId);
      forget(executorId);
      tell(new ProcessExited(executorId, new Exited(exitCode, lastWords)));
    }
  }

  private void stop(String executorId, boolean failed) {
    Process process = processes.get(executorId);
    if (process != null) {
      if (!failed) {
        dismissed.add(executorId);
      }
      process.destroy();
      try {
        if (!process.waitFor(endsWithin)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e); // nobody interrupts this thread
      }
    }
  }

  private void tell(AllocationMessage message) {
    if (!closing) {
      allocation.accept(message);
    }
  }

  /// Kills the processes that don't end.
  @Override
  public void close() {
    synchronized (processes) {
      closing = true;
    }
    boolean interrupted = !end(watchers.values());
    processes.values().forEach(Process::destroyForcibly);
    interrupted |= !end(watchers.values()); // killed ones end for sure
    removeAll();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// @return false if this thread was interrupted
  private boolean end(Collection<Thread> watchers) {
    long deadline = System.nanoTime() + endsWithin.toNanos();
    try {
      for (Thread watcher : List.copyOf(watchers)) {
        boolean _ = watcher.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
      }
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  private void removeAll() {
    try {
      ProcessDirectory.remove(directory);
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("{} can't be removed: {}", directory, e.toString());
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
