package io.kiln.daemon.web;

import static io.kiln.daemon.web.MasterJson.number;

import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.worker.WorkerStatus;
import io.kiln.launcher.Secrets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A worker's state as Apache Spark's workers show it: its fields and their order, as they were
/// seen with Spark 4.2.0. The command of an application is shown without what its names say is
/// secret, and without its environment.
public final class WorkerJson {
  private WorkerJson() {}

  /// @param field one of its fields; empty: all
  public static Map<String, Object> write(WorkerStatus status, String field) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("id", status.workerId());
    all.put("masterurl", status.masterUrl());
    all.put("masterwebuiurl", status.masterWebUiUrl());
    all.put("cores", number(status.cores()));
    all.put("coresused", number(status.coresUsed()));
    all.put("memory", number(status.memoryMebibytes()));
    all.put("memoryused", number(status.memoryUsedMebibytes()));
    all.put("resources", Map.of());
    all.put("resourcesused", Map.of());
    all.put("executors", executors(status.executors()));
    all.put("finishedexecutors", executors(status.finished()));
    return field.isEmpty() ? all : Map.of(field, all.getOrDefault(field, ""));
  }

  private static List<Map<String, Object>> executors(List<WorkerStatus.Executor> executors) {
    return executors.stream().map(WorkerJson::executor).toList();
  }

  private static Map<String, Object> executor(WorkerStatus.Executor executor) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", number(executor.executorId()));
    fields.put("memory", number(executor.memoryMebibytes()));
    fields.put("resources", Map.of());
    fields.put("appid", executor.applicationId());
    fields.put("appdesc", description(executor.application()));
    return fields;
  }

  private static Map<String, Object> description(ApplicationDescription application) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", application.name());
    application.maxCores().ifPresent(cores -> fields.put("cores", number(cores)));
    fields.put("memoryperexecutor", number(application.executorMemoryMebibytes()));
    fields.put("resourcesperexecutor", List.of());
    fields.put("memoryperslave", number(application.executorMemoryMebibytes()));
    fields.put("resourcesperslave", List.of());
    fields.put("user", application.user());
    fields.put("command", command(application));
    return fields;
  }

  private static String command(ApplicationDescription application) {
    return application.command().mainClass()
        + " "
        + String.join(" ", Secrets.redact(application.command().arguments()))
        + " with "
        + String.join(" ", Secrets.redact(application.command().javaOptions()));
  }
}
