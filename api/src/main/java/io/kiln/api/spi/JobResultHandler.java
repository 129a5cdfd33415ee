package io.kiln.api.spi;

/// Takes the results of a job's tasks, one call at a time, in the order of their completion.
@FunctionalInterface
public interface JobResultHandler<R> {

  /// @param index position in the array of partitions that the job was asked for
  void taskSucceeded(int index, R result) throws Exception;
}
