package io.kiln.cluster.protocol;

import java.util.Optional;

/// How a driver is, as its worker says.
///
/// @param launch counts how often a master has launched it; see [ToWorker.LaunchDriver]
/// @param message why it ended, or is started again
/// @param exitCode of its process, if that has ended by itself
public record DriverReport(
    String driverId,
    int launch,
    int cores,
    int memoryMebibytes,
    DriverState state,
    Optional<String> message,
    Optional<Integer> exitCode) {}
