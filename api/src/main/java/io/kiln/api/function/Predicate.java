package io.kiln.api.function;

import java.io.Serializable;

/// Says whether something is true of a record.
///
/// A function is serialised with the job that uses it. It may throw any exception, which fails the
/// task.
@FunctionalInterface
public interface Predicate<T> extends Serializable {
  boolean test(T value) throws Exception;
}
