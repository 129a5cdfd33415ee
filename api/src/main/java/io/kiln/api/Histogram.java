package io.kiln.api;

/// Says how many numbers are between neighbouring bounds.
///
/// @param bounds in ascending order. A bucket includes its lower bound, and the last bucket
///     includes its upper bound too
/// @param counts one for each bucket, which is one fewer than there are bounds
public record Histogram(double[] bounds, long[] counts) {}
