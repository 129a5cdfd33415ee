package io.kiln.api;

/// How many numbers fall between neighbouring bounds.
///
/// @param bounds ascending; a bucket includes its lower one, and the last bucket its upper one too
/// @param counts one fewer than bounds
public record Histogram(double[] bounds, long[] counts) {}
