package io.kiln.executor;

import java.nio.file.Path;
import java.time.Duration;

/// What an executor is told at its start.
///
/// @param incarnation grows with each start of the executor; messages for another are dropped
/// @param slots how many tasks run at once
/// @param maxResultSizeBytes a task with a larger result fails; 0 for no limit
/// @param filesDirectory where files given to the context lie
/// @param progressInterval how often it says how far tasks are, while somebody wants to know
/// @param reaper what is done about killed tasks that don't stop
public record ExecutorSettings(
    String executorId,
    long incarnation,
    int slots,
    long maxResultSizeBytes,
    Path filesDirectory,
    Duration progressInterval,
    ReaperOptions reaper) {}
