package io.kiln.daemon.worker;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Message;
import io.kiln.base.resource.FileTree;
import io.kiln.cluster.protocol.WorkerMessage;
import io.kiln.cluster.worker.RunnerOrder;
import io.kiln.cluster.worker.RunnerOrder.CheckRoom;
import io.kiln.cluster.worker.RunnerOrder.EndProcess;
import io.kiln.cluster.worker.RunnerOrder.RemoveApplicationDirectories;
import io.kiln.cluster.worker.RunnerOrder.RemoveOldDirectories;
import io.kiln.cluster.worker.RunnerOrder.StartDriver;
import io.kiln.cluster.worker.RunnerOrder.StartExecutor;
import io.kiln.cluster.worker.RunnerOrder.StopDriver;
import io.kiln.cluster.worker.RunnerOrder.StopExecutor;
import io.kiln.cluster.worker.WorkerEvent.DriverEnded;
import io.kiln.cluster.worker.WorkerEvent.DriverStarted;
import io.kiln.cluster.worker.WorkerEvent.ExecutorEnded;
import io.kiln.cluster.worker.WorkerEvent.ExecutorStarted;
import io.kiln.cluster.worker.WorkerEvent.RoomChecked;
import io.kiln.process.LastWords;
import io.kiln.runtime.Edge;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does what the worker machine orders: starts and stops processes, and removes directories, each
/// in the background. Thread-safe.
///
/// What is to be stopped while it is still being started, such as a driver whose jar is on its way,
/// does not start.
final class Runners implements Edge {
  private static final Logger LOG = LoggerFactory.getLogger(Runners.class);

  /// A process that signal N has ended has this and N as its exit code.
  private static final int SIGNALS = 128;

  private static final int LAST_SIGNAL = 64;

  private final ExecutorRunner.Worker worker;
  private final RoomCheck room;
  private final Duration endsWithin;
  private final Optional<LogRolling> rolling;
  private final ProgramUmask umask;
  private final Consumer<WorkerMessage> machine;
  private final Consumer<Optional<String>> end;

  // guarded by processes
  private final Map<String, RunningProcess> processes = new HashMap<>();
  private final Set<String> starting = new HashSet<>();
  private final Set<String> stopped = new HashSet<>();

  private volatile boolean closing;

  /// @param rolling of what processes print
  /// @param umask of processes
  /// @param machine hears of processes, on any thread
  /// @param end hears that the process has nothing more to do, and why if that is a failure
  Runners(
      ExecutorRunner.Worker worker,
      RoomCheck room,
      Duration endsWithin,
      Optional<LogRolling> rolling,
      ProgramUmask umask,
      Consumer<WorkerMessage> machine,
      Consumer<Optional<String>> end) {
    this.worker = worker;
    this.room = room;
    this.endsWithin = endsWithin;
    this.rolling = rolling;
    this.umask = umask;
    this.machine = machine;
    this.end = end;
  }

  @Override
  public void deliver(List<Message> batch) {
    for (Message message : batch) {
      RunnerOrder order = (RunnerOrder) message;
      if (order instanceof StartExecutor || order instanceof StartDriver) {
        synchronized (processes) {
          starting.add(nameOf(order));
        }
      }
      Thread.ofVirtual().name("kiln-runner").start(() -> obey(order));
    }
  }

  /// Of the process that is meant: each is started once.
  private static String nameOf(RunnerOrder order) {
    return switch (order) {
      case StartExecutor start -> executorName(start.applicationId(), start.executorId());
      case StopExecutor stop -> executorName(stop.applicationId(), stop.executorId());
      case StartDriver start -> driverName(start.driverId(), start.launch(), start.attempt());
      case StopDriver stop -> driverName(stop.driverId(), stop.launch(), stop.attempt());
      default -> throw new IllegalArgumentException(order + " is about no process");
    };
  }

  private static String driverName(String driverId, int launch, int attempt) {
    return driverId + "/" + launch + "." + attempt;
  }

  private void obey(RunnerOrder order) {
    switch (order) {
      case StartExecutor start -> startExecutor(start);
      case StopExecutor stop -> {
        LOG.info("Stopping executor {}: {}", nameOf(stop), stop.reason());
        stop(nameOf(stop));
      }
      case StartDriver start -> startDriver(start);
      case StopDriver stop -> stop(nameOf(stop));
      case RemoveApplicationDirectories(String applicationId) ->
          remove(worker.work().path().resolve(applicationId));
      case RemoveOldDirectories old -> removeOld(old);
      case CheckRoom _ -> tell(new RoomChecked(room.trouble()));
      case EndProcess(Optional<String> failure) -> end.accept(failure);
    }
  }

  private void removeOld(RemoveOldDirectories order) {
    new OldDirectories(worker.work().path(), order).remove();
    removeAbandoned();
  }

  /// Of workers that were here before.
  void removeAbandoned() {
    try {
      worker.work().removeAbandoned();
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("What workers left that are gone can't be removed: {}", e.toString());
    }
  }

  private static String executorName(String applicationId, int executorId) {
    return applicationId + "/" + executorId;
  }

  private void startExecutor(StartExecutor order) {
    ExecutorRunner runner = new ExecutorRunner(order, worker);
    String name = nameOf(order);
    try {
      start(
          name,
          runner.process(),
          Optional.of(runner.secrets()),
          runner.directory(),
          new ExecutorStarted(order.applicationId(), order.executorId()),
          exitCode -> executorEnded(order, runner, exitCode));
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("Executor {} can't be started: {}", name, e.toString());
      ended(name);
      tell(
          new ExecutorEnded(
              order.applicationId(),
              order.executorId(),
              Optional.empty(),
              "it can't be started: " + reason(e)));
    }
  }

  private void executorEnded(StartExecutor order, ExecutorRunner runner, int exitCode) {
    ended(runner.name());
    String words = lastWords(runner.directory());
    try {
      runner.clearUp();
    } catch (IOException | RuntimeException e) {
      LOG.warn("What executor {} wrote can't be removed: {}", runner.name(), e.toString());
    }
    tell(
        new ExecutorEnded(order.applicationId(), order.executorId(), Optional.of(exitCode), words));
  }

  private void startDriver(StartDriver order) {
    DriverRunner runner = new DriverRunner(order, worker);
    String name = nameOf(order);
    try {
      ProcessBuilder builder = runner.prepare();
      start(
          name,
          builder,
          Optional.empty(),
          runner.directory(),
          new DriverStarted(order.driverId(), order.launch(), order.attempt()),
          exitCode -> {
            ended(name);
            clearUp(runner, name);
            tell(
                new DriverEnded(
                    order.driverId(),
                    order.launch(),
                    order.attempt(),
                    Optional.of(exitCode),
                    exitCode == 0 ? "" : why(exitCode, runner.directory())));
          });
    } catch (IOException | RuntimeException | Error e) {
      ended(name);
      clearUp(runner, name);
      tell(
          new DriverEnded(
              order.driverId(), order.launch(), order.attempt(), Optional.empty(), reason(e)));
    }
  }

  /// One line, whatever was thrown.
  private static String reason(Throwable thrown) {
    boolean isExpected = thrown instanceof IOException || thrown instanceof KilnException;
    if (!isExpected) {
      LOG.warn("A process can't be started", thrown);
    }
    return isExpected && thrown.getMessage() != null ? thrown.getMessage() : thrown.toString();
  }

  private static void clearUp(DriverRunner runner, String name) {
    try {
      runner.clearUp();
    } catch (IOException e) {
      LOG.warn("The settings of driver {} can't be removed: {}", name, e.toString());
    }
  }

  /// An end is told, whatever can't be read.
  private static String lastWords(Path directory) {
    try {
      return LastWords.of(directory.resolve("stderr"));
    } catch (RuntimeException e) {
      LOG.warn("What was said last in {} can't be read", directory, e);
      return "";
    }
  }

  private static String why(int exitCode, Path directory) {
    String words = lastWords(directory);
    int signal = exitCode - SIGNALS;
    return "exit code "
        + exitCode
        + (signal > 0 && signal <= LAST_SIGNAL ? " (killed by signal " + signal + ")" : "")
        + (words.isEmpty() ? "" : ": " + words);
  }

  /// @param secrets that it reads at its start; empty: it reads nothing
  /// @param started what the machine hears before it hears of the end
  private void start(
      String name,
      ProcessBuilder builder,
      Optional<Map<String, String>> secrets,
      Path directory,
      WorkerMessage started,
      Consumer<Integer> ended)
      throws IOException {
    RunningProcess running;
    synchronized (processes) {
      if (closing) {
        throw new IOException("the worker is ending");
      }
      if (stopped.contains(name)) {
        throw new IOException("it was stopped before it had started");
      }
      umask.setIn(builder);
      running = RunningProcess.start(builder, directory, endsWithin, rolling);
      processes.put(name, running);
    }
    tell(started);
    running.watch(name, ended);
    secrets.ifPresent(running::give); // may block, so nothing waits for it
  }

  private void stop(String name) {
    synchronized (processes) {
      RunningProcess running = processes.get(name);
      if (running != null) {
        running.stop(name);
      } else if (starting.contains(name)) {
        stopped.add(name);
      }
    }
  }

  /// It runs no more, or never will.
  private void ended(String name) {
    synchronized (processes) {
      processes.remove(name);
      starting.remove(name);
      stopped.remove(name);
    }
  }

  private void tell(WorkerMessage message) {
    if (!closing) {
      machine.accept(message);
    }
  }

  private static void remove(Path tree) {
    try {
      FileTree.remove(tree);
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("{} can't be removed: {}", tree, e.toString());
    }
  }

  /// Ends all processes and waits for them.
  void close() {
    List<RunningProcess> running;
    synchronized (processes) {
      closing = true;
      running = List.copyOf(processes.values());
    }
    List<Thread> stopping =
        running.stream().map(process -> Thread.ofVirtual().start(process::stopAndWait)).toList();
    for (Thread thread : stopping) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
