package io.kiln.daemon.worker;

import io.kiln.base.resource.FileTree;
import io.kiln.cluster.protocol.Command;
import io.kiln.cluster.worker.RunnerOrder.StartExecutor;
import io.kiln.process.EngineJvm;
import io.kiln.process.ParentWatch;
import io.kiln.process.ProcessSecrets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// How an executor's process is started, and where it writes.
///
/// What it prints goes to `stdout` and `stderr` in `WORK/APPLICATION/EXECUTOR`, which stay until
/// the worker clears up; what it spills goes to a directory of its own, which goes with it.
final class ExecutorRunner {
  private static final long MEBIBYTE = 1L << 20;

  private final StartExecutor order;
  private final Worker worker;

  /// @param workerUrl as executors are told it
  /// @param host by which others reach what runs here
  /// @param work holds a directory for each application
  /// @param scratch holds what processes spill
  /// @param environment of what runs here
  /// @param users as whom it runs
  record Worker(
      String workerUrl,
      String host,
      WorkDirectory work,
      Path scratch,
      ChildEnvironment environment,
      Users users) {}

  ExecutorRunner(StartExecutor order, Worker worker) {
    this.order = order;
    this.worker = worker;
  }

  String name() {
    return order.applicationId() + "/" + order.executorId();
  }

  Path directory() {
    return worker.work().path().resolve(order.applicationId()).resolve(id());
  }

  private Path scratch() {
    return worker.scratch().resolve(order.applicationId() + "-" + id());
  }

  private String id() {
    return Integer.toString(order.executorId());
  }

  /// @throws IOException if a directory can't be made, or the user is none
  ProcessBuilder process() throws IOException {
    Users.User user = worker.users().find(order.application().user());
    Path place = user.makeDirectory(directory());
    worker.work().markUsed(order.applicationId());
    user.makeOwnDirectory(scratch());
    Command wanted = order.application().command();
    List<String> arguments = new ArrayList<>();
    for (String argument : wanted.arguments()) {
      arguments.add(filled(argument));
    }
    List<String> options = new ArrayList<>(wanted.javaOptions());
    options.add(ParentWatch.option());
    options.add(ProcessSecrets.option());
    ProcessBuilder builder =
        new ProcessBuilder(
            user.command(
                EngineJvm.EXECUTOR.command(
                    order.memoryMebibytes() * MEBIBYTE, options, wanted.mainClass(), arguments)));
    worker
        .environment()
        .apply(builder, List.of(user.environment(), wanted.environment(), ownPlaces()));
    return builder.directory(place.toFile());
  }

  /// What the process is given once it has started.
  Map<String, String> secrets() {
    return order.application().properties();
  }

  private Map<String, String> ownPlaces() {
    return Map.of(
        "SPARK_LOCAL_DIRS",
        scratch().toString(),
        "SPARK_EXECUTOR_DIRS",
        scratch().toString(),
        "SPARK_LOG_URL_STDOUT",
        directory().resolve("stdout").toUri().toString(),
        "SPARK_LOG_URL_STDERR",
        directory().resolve("stderr").toUri().toString());
  }

  private String filled(String argument) {
    return argument
        .replace("{{WORKER_URL}}", worker.workerUrl())
        .replace("{{EXECUTOR_ID}}", id())
        .replace("{{HOSTNAME}}", worker.host())
        .replace("{{CORES}}", Integer.toString(order.cores()))
        .replace("{{APP_ID}}", order.applicationId());
  }

  /// @throws IOException if something stays
  void clearUp() throws IOException {
    FileTree.remove(scratch());
  }
}
