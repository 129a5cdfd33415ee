package io.kiln.api.function;

import java.io.Serializable;

/// Makes one result of two arguments.
///
/// A function is serialised with the job that uses it. It may throw any exception, which fails the
/// task.
@FunctionalInterface
public interface BiFunction<T, U, R> extends Serializable {
  R apply(T first, U second) throws Exception;
}
