package io.kiln.api.spi;

import io.kiln.api.Records;
import io.kiln.api.TaskContext;
import java.io.Serializable;

/// What an action does with one partition, in a task.
@FunctionalInterface
public interface PartitionFunction<T, R> extends Serializable {
  R apply(TaskContext context, Records<T> records) throws Exception;
}
