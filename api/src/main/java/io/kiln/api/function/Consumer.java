package io.kiln.api.function;

import java.io.Serializable;

/// Does something with a record.
///
/// A function is serialised with the job that uses it. It may throw any exception, which fails the
/// task.
@FunctionalInterface
public interface Consumer<T> extends Serializable {
  void accept(T value) throws Exception;
}
