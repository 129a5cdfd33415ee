package io.kiln.api.function;

import java.io.Serializable;

/// Makes a double of one argument.
///
/// A function is serialised with the job that uses it. It may throw any exception, which fails the
/// task.
@FunctionalInterface
public interface ToDoubleFunction<T> extends Serializable {
  double applyAsDouble(T value) throws Exception;
}
