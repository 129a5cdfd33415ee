package io.kiln.daemon.recovery;

/// What changes in what is kept.
public sealed interface Change {
  /// Of letters, digits, `-`, `_`, `.` and what a worker named itself, which may be anything.
  String key();

  /// @param value in place of the one before; belongs to the change, and may hold secrets
  record Put(String key, byte[] value) implements Change {}

  /// @param key may be one that isn't there
  record Remove(String key) implements Change {}
}
