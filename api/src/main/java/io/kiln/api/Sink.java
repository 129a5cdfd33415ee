package io.kiln.api;

/// Where a stage pushes its records, one call a record.
///
/// A chain of narrow operators is a chain of sinks; it allocates nothing per record.
@FunctionalInterface
public interface Sink<T> {

  /// Takes one record.
  ///
  /// @return whether more records are wanted; after `false` the source stops, and need not be told
  /// again
  boolean accept(T value) throws Exception;
}
