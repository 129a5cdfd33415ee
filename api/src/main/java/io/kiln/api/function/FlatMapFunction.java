package io.kiln.api.function;

import java.io.Serializable;
import java.util.Iterator;

/// Makes any number of records of one record.
///
/// A function is serialised with the job that uses it. It may throw any exception, which fails the
/// task.
@FunctionalInterface
public interface FlatMapFunction<T, R> extends Serializable {
  Iterator<? extends R> apply(T value) throws Exception;
}
