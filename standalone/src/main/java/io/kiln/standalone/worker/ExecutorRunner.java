package io.kiln.standalone.worker;

import io.kiln.base.process.ParentWatch;
import io.kiln.base.resource.FileTree;
import io.kiln.cluster.protocol.Command;
import io.kiln.cluster.worker.RunnerOrder.StartExecutor;
import io.kiln.driver.cluster.ExecutorJvm;
import io.kiln.executor.process.ExecutorMain;
import java.io.IOException;
import java.nio.file.Files;
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
  /// @param clusterSettings by which a driver that runs here finds the cluster's secret
  record Worker(
      String workerUrl,
      String host,
      WorkDirectory work,
      Path scratch,
      Map<String, String> clusterSettings) {}

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

  /// @throws IOException if a directory can't be made
  ProcessBuilder process() throws IOException {
    worker.work().makeForExecutor(order.applicationId(), order.executorId());
    Files.createDirectories(scratch());
    Command wanted = order.application().command();
    List<String> arguments = new ArrayList<>();
    for (String argument : wanted.arguments()) {
      arguments.add(filled(argument));
    }
    List<String> options = new ArrayList<>(wanted.javaOptions());
    options.add(ParentWatch.option());
    ProcessBuilder builder =
        new ProcessBuilder(
            ExecutorJvm.command(order.memoryMebibytes() * MEBIBYTE, options, arguments));
    Map<String, String> environment = builder.environment();
    environment.putAll(wanted.environment());
    environment.remove(ExecutorMain.SECRET_VARIABLE); // the worker's own, if it has one
    environment.putAll(order.application().properties());
    environment.put("SPARK_LOCAL_DIRS", scratch().toString());
    environment.put("SPARK_EXECUTOR_DIRS", scratch().toString());
    environment.put("SPARK_LOG_URL_STDOUT", directory().resolve("stdout").toUri().toString());
    environment.put("SPARK_LOG_URL_STDERR", directory().resolve("stderr").toUri().toString());
    return builder.directory(directory().toFile());
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
