package sample;

import io.kiln.base.settings.Settings;
import io.kiln.driver.cluster.ExecutorJvm;
import io.kiln.driver.cluster.ExecutorSource;
import io.kiln.executor.process.ExecutorArguments;
import io.kiln.network.transport.NodeAddress;
import io.kiln.process.ProcessSecrets;
import io.kiln.process.SharedSecret;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.allocation.ExecutorExit;
import io.kiln.scheduler.allocation.ExecutorRoster;
import io.kiln.scheduler.allocation.LaunchRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Executors as processes on this machine, one task at a time each.
final class SampleExecutors implements ExecutorSource {
  private static final long HEAP_BYTES = 256L << 20;

  private final int executors;
  private final Settings settings;
  private final Path scratch;
  private final Optional<SharedSecret> secret;
  private final Consumer<AllocationMessage> allocation;
  private final Map<String, Process> processes = new ConcurrentHashMap<>();
  private final ExecutorRoster roster;
  private volatile NodeAddress driver;

  SampleExecutors(
      int executors,
      Settings settings,
      Path scratch,
      Optional<SharedSecret> secret,
      Consumer<AllocationMessage> allocation) {
    this.executors = executors;
    this.roster = new ExecutorRoster(executors);
    this.settings = settings;
    this.scratch = scratch;
    this.secret = secret;
    this.allocation = allocation;
  }

  @Override
  public String driverHost() {
    return "localhost";
  }

  @Override
  public int slots() {
    return executors;
  }

  @Override
  public int executors() {
    return executors;
  }

  @Override
  public String register(NodeAddress address) {
    driver = address;
    return "sample-" + ProcessHandle.current().pid();
  }

  @Override
  public void accept(LaunchRequest request) {
    switch (request) {
      case LaunchRequest.RequestExecutors wish -> {
        synchronized (roster) {
          roster.fill(wish).forEach(this::launch);
        }
      }
      case LaunchRequest.ReleaseExecutor release -> forget(release.executorId());
      case LaunchRequest.StopExecutor stop -> {
        forget(stop.executorId());
        Optional.ofNullable(processes.get(stop.executorId())).ifPresent(Process::destroy);
      }
    }
  }

  private void forget(String id) {
    synchronized (roster) {
      roster.remove(id);
    }
  }

  private void launch(String id) {
    try {
      Path directory = Files.createTempDirectory(scratch, "sample-" + id);
      ExecutorArguments arguments =
          new ExecutorArguments(driver, id, "localhost", 1, register(driver), List.of());
      ProcessBuilder builder =
          new ProcessBuilder(
                  ExecutorJvm.command(HEAP_BYTES, ExecutorJvm.options(settings), arguments.words()))
              .redirectOutput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.INHERIT);
      ExecutorJvm.setEnvironment(builder.environment(), directory);
      Process process = builder.start();
      processes.put(id, process);
      ProcessSecrets.give(ExecutorJvm.secrets(settings, secret), process);
      allocation.accept(new AllocationMessage.ExecutorLaunching(id));
      process.onExit().thenAccept(ended -> exited(id, ended.exitValue()));
    } catch (IOException e) {
      forget(id);
      allocation.accept(new AllocationMessage.LaunchFailed(id, e.toString()));
    }
  }

  private void exited(String id, int code) {
    forget(id);
    allocation.accept(new AllocationMessage.ProcessExited(id, new ExecutorExit.Exited(code)));
  }

  @Override
  public void close() {
    for (Process process : processes.values()) {
      process.onExit().join();
    }
  }
}
