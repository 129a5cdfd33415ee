package io.kiln.api.function;

import java.io.Serializable;

/// One argument to one result.
///
/// Serialised with the job that uses it; may throw any exception, which fails the task.
@FunctionalInterface
public interface Function<T, R> extends Serializable {
  R apply(T value) throws Exception;
}
