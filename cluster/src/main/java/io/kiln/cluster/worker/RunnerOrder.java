package io.kiln.cluster.worker;

import io.kiln.base.machine.Message;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.DriverDescription;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What a worker asks of whoever starts processes and keeps directories.
public sealed interface RunnerOrder extends Message {

  /// Answered by [WorkerEvent.ExecutorStarted] and, once, by [WorkerEvent.ExecutorEnded].
  record StartExecutor(
      String applicationId,
      int executorId,
      ApplicationDescription application,
      int cores,
      int memoryMebibytes,
      String masterUrl)
      implements RunnerOrder {}

  /// Ends its process, by force if it takes too long; then comes [WorkerEvent.ExecutorEnded].
  record StopExecutor(String applicationId, int executorId, String reason) implements RunnerOrder {}

  /// Makes the working directory, fetches the jar, starts the process. Answered by
  /// [WorkerEvent.DriverStarted] and, once, by [WorkerEvent.DriverEnded].
  ///
  /// @param launch, attempt which run it is: `launch` of the master's, `attempt` of the worker's
  /// @param secret as in [io.kiln.cluster.protocol.ToWorker.LaunchDriver]
  record StartDriver(
      String driverId, int launch, int attempt, DriverDescription driver, Optional<String> secret)
      implements RunnerOrder {

    /// Leaves out the secret.
    @Override
    public String toString() {
      return "StartDriver[" + driverId + ", " + launch + "." + attempt + ", " + driver + "]";
    }
  }

  /// Ends its process, by force if it takes too long; then comes [WorkerEvent.DriverEnded].
  record StopDriver(String driverId, int launch, int attempt) implements RunnerOrder {}

  /// The application is over and none of its executors runs: its directories go.
  record RemoveApplicationDirectories(String applicationId) implements RunnerOrder {}

  /// Directories of others than these, and older than that, go.
  record RemoveOldDirectories(
      Duration age, List<String> runningApplications, List<String> runningDrivers)
      implements RunnerOrder {}

  /// Looks whether there is what the next process needs. Answered by [WorkerEvent.RoomChecked].
  record CheckRoom() implements RunnerOrder {}

  /// The worker has nothing more to do; its process ends.
  ///
  /// @param failure why, if it was not asked to
  record EndProcess(Optional<String> failure) implements RunnerOrder {}
}
