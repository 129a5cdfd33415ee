package io.kiln.api;

import java.io.Serializable;

/// Four values, such as the groups that a key has in four RDDs.
public record Quad<A, B, C, D>(A first, B second, C third, D fourth) implements Serializable {}
