package io.kiln.api.function;

import java.io.Serializable;

/// Makes a value of no argument.
///
/// A function is serialised with the job that uses it. It may throw any exception, which fails the
/// task.
@FunctionalInterface
public interface Supplier<T> extends Serializable {
  T get() throws Exception;
}
