package io.kiln.cluster.protocol;

import java.time.Instant;
import java.util.Optional;

/// A driver, as the master sees it.
///
/// @param workerId, workerHostPort where it runs or ran last
/// @param message why it waits, or what became of it; may be empty
public record DriverStatus(
    String driverId,
    DriverState state,
    Instant submitted,
    DriverDescription description,
    Optional<String> workerId,
    Optional<String> workerHostPort,
    String message,
    Optional<Integer> exitCode) {}
