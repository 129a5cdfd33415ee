package io.kiln.executor;

import java.nio.file.Path;

/// What an executor is told at its start.
///
/// @param incarnation grows with each start of the executor; messages for another are dropped
/// @param slots how many tasks run at once
/// @param maxResultSizeBytes a task with a larger result fails; 0 for no limit
/// @param filesDirectory where files given to the context lie
/// @param stackSizeBytes of a slot's thread; reserved, not committed
public record ExecutorSettings(
    String executorId,
    long incarnation,
    int slots,
    long maxResultSizeBytes,
    Path filesDirectory,
    long stackSizeBytes) {
  public static final long DEFAULT_STACK_BYTES = 16L << 20;
}
