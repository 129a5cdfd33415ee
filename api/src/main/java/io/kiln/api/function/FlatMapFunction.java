package io.kiln.api.function;

import java.io.Serializable;
import java.util.Iterator;

/// One record to any number of records.
///
/// Serialised with the job that uses it; may throw any exception, which fails the task.
@FunctionalInterface
public interface FlatMapFunction<T, R> extends Serializable {
  Iterator<? extends R> apply(T value) throws Exception;
}
