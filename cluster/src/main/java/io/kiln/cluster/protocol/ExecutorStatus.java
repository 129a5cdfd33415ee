package io.kiln.cluster.protocol;

import java.util.Optional;

/// How an executor is, as its worker says.
///
/// @param message why it ended, if it did
/// @param exitCode of its process, if that ended by itself
public record ExecutorStatus(
    String applicationId,
    int executorId,
    int cores,
    int memoryMebibytes,
    ExecutorState state,
    Optional<String> message,
    Optional<Integer> exitCode) {}
