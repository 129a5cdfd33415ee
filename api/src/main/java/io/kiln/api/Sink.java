package io.kiln.api;

/// Takes the records that a stage pushes, with one call for each record.
///
/// A chain of narrow operators is a chain of sinks. It allocates nothing for a record.
@FunctionalInterface
public interface Sink<T> {

  /// Takes one record.
  ///
  /// @return whether the sink wants more records. After `false` the source stops, and need not be
  ///     told again
  boolean accept(T value) throws Exception;
}
