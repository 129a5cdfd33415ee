package io.kiln.api.function;

import java.io.Serializable;

/// Two arguments to one result.
///
/// Serialised with the job that uses it; may throw any exception, which fails the task.
@FunctionalInterface
public interface BiFunction<T, U, R> extends Serializable {
  R apply(T first, U second) throws Exception;
}
