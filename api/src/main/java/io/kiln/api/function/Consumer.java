package io.kiln.api.function;

import java.io.Serializable;

/// An effect for a record.
///
/// Serialised with the job that uses it; may throw any exception, which fails the task.
@FunctionalInterface
public interface Consumer<T> extends Serializable {
  void accept(T value) throws Exception;
}
