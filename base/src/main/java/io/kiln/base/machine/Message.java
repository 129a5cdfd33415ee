package io.kiln.base.machine;

/// What machines send to each other: immutable records.
public interface Message {}
