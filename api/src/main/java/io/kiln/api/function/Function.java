package io.kiln.api.function;

import java.io.Serializable;

/// Makes one result of one argument.
///
/// A function is serialised with the job that uses it. It may throw any exception, which fails the
/// task.
@FunctionalInterface
public interface Function<T, R> extends Serializable {
  R apply(T value) throws Exception;
}
