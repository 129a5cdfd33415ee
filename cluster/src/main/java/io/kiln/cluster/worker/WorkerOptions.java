package io.kiln.cluster.worker;

import io.kiln.base.settings.MasterSettings;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.WorkerSettings;
import java.time.Duration;
import java.util.Optional;

/// How a worker behaves.
///
/// @param silence after which a master that says nothing is lost; heartbeats go out four times in
///     that time
/// @param initialRetries, maxRetries how often it asks masters at short intervals, and altogether
/// @param retainedExecutors of how many that ended its status tells
/// @param cleanUp when directories of what is over go; empty: never
public record WorkerOptions(
    Duration silence,
    int initialRetries,
    int maxRetries,
    int retainedExecutors,
    Optional<CleanUp> cleanUp) {

  /// @param interval between looks
  /// @param age that those of an application or driver get at least
  public record CleanUp(Duration interval, Duration age) {}

  public static WorkerOptions of(Settings settings) {
    boolean cleansUp = settings.get(WorkerSettings.CLEANUP_ENABLED);
    return new WorkerOptions(
        settings.get(MasterSettings.WORKER_TIMEOUT),
        settings.get(WorkerSettings.INITIAL_REGISTRATION_RETRIES),
        settings.get(WorkerSettings.MAX_REGISTRATION_RETRIES),
        settings.get(WorkerSettings.RETAINED_EXECUTORS),
        cleansUp
            ? Optional.of(
                new CleanUp(
                    settings.get(WorkerSettings.CLEANUP_INTERVAL),
                    settings.get(WorkerSettings.CLEANUP_AGE)))
            : Optional.empty());
  }

  Duration heartbeatInterval() {
    return silence.dividedBy(4);
  }
}
