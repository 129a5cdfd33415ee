package io.kiln.api;

import java.io.Serializable;

/// One partition's records to another's, in a task. The result may be pulled or pushed, so an
/// operator built on it stays fused.
@FunctionalInterface
interface RecordsFunction<T, R> extends Serializable {

  /// @param index of the partition
  Records<R> apply(TaskContext task, int index, Records<T> records) throws Exception;
}
