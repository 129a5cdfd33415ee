package io.kiln.standalone.worker;

import io.kiln.base.machine.Message;
import io.kiln.base.resource.FileTree;
import io.kiln.cluster.protocol.WorkerMessage;
import io.kiln.cluster.worker.RunnerOrder;
import io.kiln.cluster.worker.RunnerOrder.DecommissionExecutors;
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
import io.kiln.driver.cluster.LastWords;
import io.kiln.runtime.Edge;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does what the worker machine orders: starts and stops processes, and removes directories, each
/// in the background. Thread-safe.
final class Runners implements Edge {
  private static final Logger LOG = LoggerFactory.getLogger(Runners.class);

  private final ExecutorRunner.Worker worker;
  private final Duration endsWithin;
  private final Consumer<WorkerMessage> machine;
  private final Consumer<Optional<String>> end;
  private final Map<String, RunningProcess> processes = new ConcurrentHashMap<>();
  private volatile boolean closing;

  /// @param machine hears of processes, on any thread
  /// @param end hears that the process has nothing more to do, and why if that is a failure
  Runners(
      ExecutorRunner.Worker worker,
      Duration endsWithin,
      Consumer<WorkerMessage> machine,
      Consumer<Optional<String>> end) {
    this.worker = worker;
    this.endsWithin = endsWithin;
    this.machine = machine;
    this.end = end;
  }

  @Override
  public void deliver(List<Message> batch) {
    for (Message message : batch) {
      RunnerOrder order = (RunnerOrder) message;
      Thread.ofVirtual().name("kiln-runner").start(() -> obey(order));
    }
  }

  private void obey(RunnerOrder order) {
    switch (order) {
      case StartExecutor start -> startExecutor(start);
      case StopExecutor(String applicationId, int executorId, String why) -> {
        LOG.info("Stopping executor {}/{}: {}", applicationId, executorId, why);
        stop(executorName(applicationId, executorId));
      }
      case StartDriver start -> startDriver(start);
      case StopDriver stop -> stop(stop.driverId());
      case DecommissionExecutors _ -> LOG.info("Executors go on until their applications end");
      case RemoveApplicationDirectories(String applicationId) ->
          remove(worker.work().resolve(applicationId));
      case RemoveOldDirectories old -> new OldDirectories(worker.work(), old).remove();
      case EndProcess(Optional<String> failure) -> end.accept(failure);
    }
  }

  private static String executorName(String applicationId, int executorId) {
    return applicationId + "/" + executorId;
  }

  private void startExecutor(StartExecutor order) {
    ExecutorRunner runner = new ExecutorRunner(order, worker);
    String name = runner.name();
    try {
      start(
          name,
          runner.process(),
          runner.directory(),
          new ExecutorStarted(order.applicationId(), order.executorId()),
          exitCode -> executorEnded(order, runner, exitCode));
    } catch (IOException e) {
      tell(
          new ExecutorEnded(
              order.applicationId(),
              order.executorId(),
              Optional.empty(),
              "it can't be started: " + e.getMessage()));
    }
  }

  private void executorEnded(StartExecutor order, ExecutorRunner runner, int exitCode) {
    processes.remove(runner.name());
    String words = LastWords.of(runner.directory().resolve("stderr"));
    try {
      runner.clearUp();
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("What executor {} wrote can't be removed: {}", runner.name(), e.toString());
    }
    tell(
        new ExecutorEnded(order.applicationId(), order.executorId(), Optional.of(exitCode), words));
  }

  private void startDriver(StartDriver order) {
    DriverRunner runner = new DriverRunner(order, worker);
    try {
      ProcessBuilder builder = runner.prepare();
      start(
          order.driverId(),
          builder,
          runner.directory(),
          new DriverStarted(order.driverId(), order.launch(), order.attempt()),
          exitCode -> {
            processes.remove(order.driverId());
            tell(
                new DriverEnded(
                    order.driverId(),
                    order.launch(),
                    order.attempt(),
                    Optional.of(exitCode),
                    exitCode == 0 ? "" : "exit code " + exitCode));
          });
    } catch (IOException | RuntimeException e) {
      tell(
          new DriverEnded(
              order.driverId(), order.launch(), order.attempt(), Optional.empty(), e.getMessage()));
    }
  }

  /// @param started what the machine hears before it hears of the end
  private void start(
      String name,
      ProcessBuilder builder,
      Path directory,
      WorkerMessage started,
      Consumer<Integer> ended)
      throws IOException {
    RunningProcess running;
    synchronized (processes) {
      if (closing) {
        throw new IOException("the worker is ending");
      }
      running = RunningProcess.start(builder, directory, endsWithin);
      processes.put(name, running);
    }
    tell(started);
    running.watch(name, ended);
  }

  private void stop(String name) {
    RunningProcess running = processes.get(name);
    if (running != null) {
      running.stop(name);
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
    synchronized (processes) {
      closing = true;
    }
    List<Thread> stopping =
        processes.values().stream()
            .map(running -> Thread.ofVirtual().start(running::stopAndWait))
            .toList();
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
