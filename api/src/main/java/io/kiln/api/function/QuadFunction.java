package io.kiln.api.function;

import java.io.Serializable;

/// Makes one result of four arguments.
///
/// A function is serialised with the job that uses it. It may throw any exception, which fails the
/// task.
@FunctionalInterface
public interface QuadFunction<T, U, V, W, R> extends Serializable {
  R apply(T first, U second, V third, W fourth) throws Exception;
}
