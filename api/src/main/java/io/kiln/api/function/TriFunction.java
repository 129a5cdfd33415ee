package io.kiln.api.function;

import java.io.Serializable;

/// Three arguments to one result.
///
/// Serialised with the job that uses it; may throw any exception, which fails the task.
@FunctionalInterface
public interface TriFunction<T, U, V, R> extends Serializable {
  R apply(T first, U second, V third) throws Exception;
}
