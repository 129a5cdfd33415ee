package io.kiln.api;

import java.io.Serializable;

/// Three values, such as the groups that a key has in three RDDs.
public record Triple<A, B, C>(A first, B second, C third) implements Serializable {}
