package io.kiln.api;

/// A partition that is only a number.
public record IndexedPartition(int index) implements Partition {}
