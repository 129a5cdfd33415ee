package io.kiln.storage;

/// What a task has moved, so far.
///
/// @param shuffleRecordsRead from map outputs, before combining
/// @param shuffleBytesRead as stored
/// @param shuffleRecordsWritten after combining
/// @param shuffleBytesWritten as stored
/// @param memorySpilledBytes how much memory was freed by spilling, as estimated
/// @param diskSpilledBytes how much was written for it, as stored
/// @param peakMemoryBytes the most that the task's execution held at once
public record TaskStorageMetrics(
    long shuffleRecordsRead,
    long shuffleBytesRead,
    long shuffleRecordsWritten,
    long shuffleBytesWritten,
    long memorySpilledBytes,
    long diskSpilledBytes,
    long peakMemoryBytes) {}
