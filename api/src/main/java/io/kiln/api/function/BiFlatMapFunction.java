package io.kiln.api.function;

import java.io.Serializable;
import java.util.Iterator;

/// Two arguments to any number of records.
///
/// Serialised with the job that uses it; may throw any exception, which fails the task.
@FunctionalInterface
public interface BiFlatMapFunction<T, U, R> extends Serializable {
  Iterator<? extends R> apply(T first, U second) throws Exception;
}
