package io.kiln.cluster.protocol;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Everything that a master knows, for pages and `/json/`. The newest first of what is over.
public record ClusterStatus(
    List<WorkerStatus> workers,
    List<ApplicationStatus> activeApplications,
    List<ApplicationStatus> completedApplications,
    List<DriverStatus> activeDrivers,
    List<DriverStatus> completedDrivers) {

  /// @param leftOut why it is given nothing for now; empty if it is
  /// @param lastHeartbeat when the worker was heard last
  public record WorkerStatus(
      String workerId,
      WorkerDescription worker,
      WorkerState state,
      String leftOut,
      int coresUsed,
      int memoryUsedMebibytes,
      Instant lastHeartbeat) {}

  /// @param coresGranted now
  public record ApplicationStatus(
      String applicationId,
      ApplicationDescription description,
      ApplicationState state,
      Instant submitted,
      Optional<Instant> ended,
      int coresGranted,
      String message,
      List<ExecutorStatus> executors) {}

  public record ExecutorStatus(GrantedExecutor executor, ExecutorState state) {}
}
