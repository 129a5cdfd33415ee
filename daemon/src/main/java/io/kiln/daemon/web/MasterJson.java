package io.kiln.daemon.web;

import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ClusterStatus;
import io.kiln.cluster.protocol.ClusterStatus.ApplicationStatus;
import io.kiln.cluster.protocol.ClusterStatus.WorkerStatus;
import io.kiln.cluster.protocol.DriverStatus;
import io.kiln.cluster.protocol.MasterIdentity;
import io.kiln.cluster.protocol.WorkerState;
import io.kiln.http.Json.NumberText;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/// A master's state as Apache Spark's masters show it: its fields and their order, as they were
/// seen with Spark 4.2.0. Resources other than cores and memory are not there, and their fields are
/// empty.
public final class MasterJson {
  /// As `java.util.Date` is shown.
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss zzz yyyy", Locale.US);

  private static final int PERCENT = 100;

  private MasterJson() {}

  /// @param field one of its fields, or `clusterutilization`; empty: all
  /// @param now for durations
  /// @param zone in which dates are shown
  public static Map<String, Object> write(
      MasterIdentity master, ClusterStatus cluster, String field, Instant now, ZoneId zone) {
    if (field.equals("clusterutilization")) {
      return utilization(cluster);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    List<WorkerStatus> alive =
        cluster.workers().stream().filter(worker -> worker.state() == WorkerState.ALIVE).toList();
    List<Map<String, Object>> noResources =
        alive.stream().map(_ -> Map.<String, Object>of()).toList();
    all.put("url", master.masterUrl());
    all.put("workers", cluster.workers().stream().map(MasterJson::worker).toList());
    all.put("aliveworkers", number(alive.size()));
    all.put("cores", sum(alive, worker -> worker.worker().cores()));
    all.put("coresused", sum(alive, WorkerStatus::coresUsed));
    all.put("memory", sum(alive, worker -> worker.worker().memoryMebibytes()));
    all.put("memoryused", sum(alive, WorkerStatus::memoryUsedMebibytes));
    all.put("resources", noResources);
    all.put("resourcesused", noResources);
    all.put("activeapps", applications(cluster.activeApplications(), now, zone));
    all.put("completedapps", applications(cluster.completedApplications(), now, zone));
    all.put("activedrivers", drivers(cluster.activeDrivers(), zone));
    all.put("completeddrivers", drivers(cluster.completedDrivers(), zone));
    all.put("status", master.state().name());
    if (field.isEmpty()) {
      return all;
    }
    return Map.of(field, all.getOrDefault(field, ""));
  }

  private static Map<String, Object> utilization(ClusterStatus cluster) {
    List<WorkerStatus> alive =
        cluster.workers().stream().filter(worker -> worker.state() == WorkerState.ALIVE).toList();
    long cores = alive.stream().mapToLong(worker -> worker.worker().cores()).sum();
    long coresUsed = alive.stream().mapToLong(WorkerStatus::coresUsed).sum();
    long memory = alive.stream().mapToLong(worker -> worker.worker().memoryMebibytes()).sum();
    long memoryUsed = alive.stream().mapToLong(WorkerStatus::memoryUsedMebibytes).sum();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(
        "waitingDrivers",
        number(
            cluster.activeDrivers().stream()
                .filter(driver -> driver.workerId().isEmpty())
                .count()));
    fields.put("cores", number(cores));
    fields.put("coresused", number(coresUsed));
    fields.put("coresutilization", number(percent(coresUsed, cores)));
    fields.put("memory", number(memory));
    fields.put("memoryused", number(memoryUsed));
    fields.put("memoryutilization", number(percent(memoryUsed, memory)));
    return fields;
  }

  /// All is used of what isn't there.
  private static long percent(long used, long all) {
    return all == 0 ? PERCENT : PERCENT * used / all;
  }

  private static Map<String, Object> worker(WorkerStatus status) {
    int cores = status.worker().cores();
    int memory = status.worker().memoryMebibytes();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", status.workerId());
    fields.put("host", status.worker().host());
    fields.put("port", number(status.worker().port()));
    fields.put("webuiaddress", status.worker().webUiUrl());
    fields.put("cores", number(cores));
    fields.put("coresused", number(status.coresUsed()));
    fields.put("coresfree", number(cores - status.coresUsed()));
    fields.put("memory", number(memory));
    fields.put("memoryused", number(status.memoryUsedMebibytes()));
    fields.put("memoryfree", number(memory - status.memoryUsedMebibytes()));
    fields.put("resources", Map.of());
    fields.put("resourcesused", Map.of());
    fields.put("resourcesfree", Map.of());
    fields.put("state", status.state().name());
    if (!status.leftOut().isEmpty()) {
      fields.put("leftout", status.leftOut());
    }
    fields.put("lastheartbeat", number(status.lastHeartbeat().toEpochMilli()));
    return fields;
  }

  private static List<Map<String, Object>> applications(
      List<ApplicationStatus> applications, Instant now, ZoneId zone) {
    return applications.stream().map(each -> application(each, now, zone)).toList();
  }

  private static Map<String, Object> application(
      ApplicationStatus status, Instant now, ZoneId zone) {
    ApplicationDescription description = status.description();
    long submitted = status.submitted().toEpochMilli();
    long ended = status.ended().orElse(now).toEpochMilli();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", status.applicationId());
    fields.put("starttime", number(submitted));
    fields.put("name", description.name());
    fields.put("cores", number(status.coresGranted()));
    fields.put("user", description.user());
    fields.put("memoryperexecutor", number(description.executorMemoryMebibytes()));
    fields.put("memoryperslave", number(description.executorMemoryMebibytes()));
    fields.put("resourcesperexecutor", List.of());
    fields.put("resourcesperslave", List.of());
    fields.put("submitdate", date(status.submitted(), zone));
    fields.put("state", status.state().name());
    fields.put("duration", number(Math.max(0, ended - submitted)));
    return fields;
  }

  private static List<Map<String, Object>> drivers(List<DriverStatus> drivers, ZoneId zone) {
    return drivers.stream().map(each -> driver(each, zone)).toList();
  }

  private static Map<String, Object> driver(DriverStatus status, ZoneId zone) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", status.driverId());
    fields.put("starttime", Long.toString(status.submitted().toEpochMilli()));
    fields.put("state", status.state().name());
    fields.put("cores", number(status.description().cores()));
    fields.put("memory", number(status.description().memoryMebibytes()));
    fields.put("resources", Map.of());
    fields.put("submitdate", date(status.submitted(), zone));
    fields.put("worker", status.workerId().orElse("None"));
    fields.put("mainclass", mainClass(status));
    return fields;
  }

  /// The program's own, which is an argument of what runs it.
  private static String mainClass(DriverStatus status) {
    List<String> words = status.description().command().arguments();
    int option = words.indexOf("--class");
    return option >= 0 && option + 1 < words.size()
        ? words.get(option + 1)
        : status.description().command().mainClass();
  }

  private static String date(Instant instant, ZoneId zone) {
    return DATE.format(instant.atZone(zone));
  }

  private static NumberText sum(List<WorkerStatus> workers, ToLongFunction<WorkerStatus> what) {
    return number(workers.stream().mapToLong(what).sum());
  }

  static NumberText number(long number) {
    return new NumberText(Long.toString(number));
  }
}
