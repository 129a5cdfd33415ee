package io.kiln.storage.shuffle;

/// What a task reads of a shuffle: the reduce partitions from `first` to `end - 1` of each map
/// output.
public record ShuffleRange(int shuffleId, int numMaps, int first, int end) {}
