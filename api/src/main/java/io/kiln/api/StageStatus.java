package io.kiln.api;

/// A stage as the status tracker shows it.
///
/// @param submissionTimeMillis since the epoch; 0 before it is submitted
public record StageStatus(
    int stageId,
    int attempt,
    String name,
    long submissionTimeMillis,
    int numTasks,
    int numActiveTasks,
    int numCompletedTasks,
    int numFailedTasks) {}
