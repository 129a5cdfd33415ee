package io.kiln.base.machine;

/// What a machine keeps beyond the end of its process: immutable records.
public interface Entry {}
