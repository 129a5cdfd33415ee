package io.kiln.shuffle;

/// Where a map output comes from.
///
/// @param taskAttemptId of the task that wrote it
/// @param records that the task has written
public record OutputOrigin(int shuffleId, int mapPartition, long taskAttemptId, long records) {}
