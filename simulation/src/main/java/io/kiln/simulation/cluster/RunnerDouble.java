package io.kiln.simulation.cluster;

import static io.kiln.simulation.cluster.ClusterChecks.demand;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
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
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Processes on one worker: they start late, fail now and then, and end by themselves or as told.
/// They die with the worker.
final class RunnerDouble implements Machine<Message> {
  /// From its driver: the executor goes by itself, having moved what it had.
  record LeaveExecutor(String applicationId, int executorId) implements Message {}

  private record ProcessStarts(String key) implements Message {}

  private record ProcessEnds(String key, int attempt, Optional<Integer> exitCode)
      implements Message {}

  /// @param driver whether it is one, rather than an executor
  private record Run(
      boolean driver, String id, int number, int attempt, int cores, int memoryMebibytes) {
    String key() {
      return id + "/" + number;
    }
  }

  private final Address worker;
  private final int cores;
  private final int memoryMebibytes;
  private double misfortune;
  private final ClusterChecks checks;
  private final Map<String, Run> processes = new TreeMap<>();
  private boolean ended;

  /// @param misfortune the chance that a process fails
  RunnerDouble(
      Address worker, int cores, int memoryMebibytes, double misfortune, ClusterChecks checks) {
    this.worker = worker;
    this.cores = cores;
    this.memoryMebibytes = memoryMebibytes;
    this.misfortune = misfortune;
    this.checks = checks;
  }

  /// The worker's process has ended by itself, or is told to.
  boolean hasEnded() {
    return ended;
  }

  /// No process fails by itself any more.
  void heal() {
    misfortune = 0;
  }

  /// How many executors of this size fit into the whole worker.
  int countFitting(int executorCores, int executorMemoryMebibytes) {
    return Math.min(cores / executorCores, memoryMebibytes / executorMemoryMebibytes);
  }

  /// The worker's process dies, and all that it has started.
  void die() {
    processes.values().forEach(this::forget);
    processes.clear();
  }

  private void forget(Run process) {
    if (process.driver()) {
      checks.driverEnded(process.key());
    } else {
      checks.executorEnded(process.key());
    }
  }

  @Override
  public void handle(Message message, Turn turn) {
    switch (message) {
      case StartExecutor start -> {
        Run process =
            new Run(
                false,
                start.applicationId(),
                start.executorId(),
                0,
                start.cores(),
                start.memoryMebibytes());
        checks.executorStarts(process.key());
        start(process, Duration.ofMinutes(30), turn);
      }
      case StartDriver start -> {
        Run process =
            new Run(
                true,
                start.driverId(),
                start.launch(),
                start.attempt(),
                start.driver().cores(),
                start.driver().memoryMebibytes());
        checks.driverStarts(process.key(), start.attempt());
        start(process, Duration.ofSeconds(20), turn);
      }
      case LeaveExecutor leave -> end(leave.applicationId() + "/" + leave.executorId(), 0, turn);
      case StopExecutor stop -> end(stop.applicationId() + "/" + stop.executorId(), 143, turn);
      case StopDriver stop -> { // which may be done by then
        int code = turn.random().nextInt(3) == 0 ? 0 : 143;
        end(stop.driverId() + "/" + stop.launch(), code, turn);
      }
      case CheckRoom _ -> {} // there is some
      case ProcessStarts(String key) -> started(key, turn);
      case ProcessEnds ends -> ended(ends, turn);
      case EndProcess end -> {
        demand(
            processes.isEmpty() || end.failure().isPresent(),
            worker + " ends, but has " + processes);
        ended = true;
        if (end.failure().isEmpty()) {
          checks.workerLeft(worker.process());
        }
      }
      case RemoveApplicationDirectories remove ->
          demand(
              processes.values().stream()
                  .noneMatch(p -> !p.driver() && p.id().equals(remove.applicationId())),
              "directories go while they are used: " + remove);
      case RemoveOldDirectories _ -> {}
      default -> throw new AssertionError("a runner can't take " + message);
    }
  }

  private void start(Run process, Duration longest, Turn turn) {
    processes.put(process.key(), process);
    demand(
        processes.values().stream().mapToInt(Run::cores).sum() <= cores,
        worker + " has too few cores for " + processes);
    demand(
        processes.values().stream().mapToInt(Run::memoryMebibytes).sum() <= memoryMebibytes,
        worker + " has too little memory for " + processes);
    Duration start = Duration.ofMillis(turn.random().nextInt(1, 500));
    if (turn.random().nextDouble() < misfortune) {
      boolean never = turn.random().nextBoolean();
      Optional<Integer> code = never ? Optional.empty() : Optional.of(1);
      after(start, new ProcessEnds(process.key(), process.attempt(), code), turn);
      return;
    }
    after(start, new ProcessStarts(process.key()), turn);
    Duration life =
        start.plusMillis(turn.random().nextLong(longest.toMillis())).plus(Duration.ofSeconds(1));
    int code = turn.random().nextDouble() < misfortune ? 3 : 0;
    after(life, new ProcessEnds(process.key(), process.attempt(), Optional.of(code)), turn);
  }

  private static void after(Duration delay, Message message, Turn turn) {
    turn.startTimer(message, delay, message);
  }

  private void end(String key, int code, Turn turn) {
    Run process = processes.get(key);
    if (process != null) {
      after(
          Duration.ofMillis(turn.random().nextInt(1, 2_000)),
          new ProcessEnds(key, process.attempt(), Optional.of(code)),
          turn);
    }
  }

  private void started(String key, Turn turn) {
    Run process = processes.get(key);
    if (process != null) {
      turn.send(
          worker,
          process.driver()
              ? new DriverStarted(process.id(), process.number(), process.attempt())
              : new ExecutorStarted(process.id(), process.number()));
    }
  }

  private void ended(ProcessEnds ends, Turn turn) {
    Run process = processes.get(ends.key());
    if (process == null || process.attempt() != ends.attempt()) {
      return; // told to end, and ended by itself
    }
    processes.remove(ends.key());
    forget(process);
    Optional<Integer> code = ends.exitCode();
    if (process.driver() && code.equals(Optional.of(0))) {
      checks.driverFinished(process.key(), worker.process());
    }
    String why = code.map(c -> "exited with code " + c).orElse("could not be started");
    turn.send(
        worker,
        process.driver()
            ? new DriverEnded(process.id(), process.number(), process.attempt(), code, why)
            : new ExecutorEnded(process.id(), process.number(), code, why));
  }
}
