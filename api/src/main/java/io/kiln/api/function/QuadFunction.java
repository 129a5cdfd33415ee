package io.kiln.api.function;

import java.io.Serializable;

/// Four arguments to one result.
///
/// Serialised with the job that uses it; may throw any exception, which fails the task.
@FunctionalInterface
public interface QuadFunction<T, U, V, W, R> extends Serializable {
  R apply(T first, U second, V third, W fourth) throws Exception;
}
