package io.kiln.api.function;

import java.io.Serializable;

/// One argument to a double.
///
/// Serialised with the job that uses it; may throw any exception, which fails the task.
@FunctionalInterface
public interface ToDoubleFunction<T> extends Serializable {
  double applyAsDouble(T value) throws Exception;
}
