package io.kiln.storage;

/// How much is used at a moment.
///
/// @param memoryBytes for execution and storage together
/// @param executionBytes used by tasks
/// @param storageBytes used by blocks
/// @param offHeapBytes used by blocks outside the heap
/// @param diskBytes used by blocks; map outputs and spills not counted
/// @param blocks how many are kept
public record StorageStatus(
    long memoryBytes,
    long executionBytes,
    long storageBytes,
    long offHeapBytes,
    long diskBytes,
    int blocks) {}
