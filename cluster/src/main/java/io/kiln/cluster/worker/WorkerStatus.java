package io.kiln.cluster.worker;

import io.kiln.base.machine.Message;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ExecutorState;
import java.util.List;

/// What a worker knows, for pages and `/json/`: the answer to [WorkerEvent.StatusWanted].
///
/// @param masterUrl, masterWebUiUrl of the master that it has heard last; may be empty
/// @param coresUsed, memoryUsedMebibytes by executors and drivers
/// @param finished the last ones, the newest first
public record WorkerStatus(
    String requestId,
    String workerId,
    String masterUrl,
    String masterWebUiUrl,
    int cores,
    int coresUsed,
    int memoryMebibytes,
    int memoryUsedMebibytes,
    List<Executor> executors,
    List<Executor> finished)
    implements Message {

  public record Executor(
      String applicationId,
      int executorId,
      int memoryMebibytes,
      ExecutorState state,
      ApplicationDescription application) {}
}
