package io.kiln.api.function;

import java.io.Serializable;

/// A value from nothing.
///
/// Serialised with the job that uses it; may throw any exception, which fails the task.
@FunctionalInterface
public interface Supplier<T> extends Serializable {
  T get() throws Exception;
}
