package io.kiln.api.function;

import java.io.Serializable;

/// A claim about a record.
///
/// Serialised with the job that uses it; may throw any exception, which fails the task.
@FunctionalInterface
public interface Predicate<T> extends Serializable {
  boolean test(T value) throws Exception;
}
