package io.kiln.driver.cluster;

import io.kiln.api.KilnException;
import io.kiln.network.transport.Content;
import io.kiln.protocol.ContentRequest.FetchStage;
import io.kiln.protocol.StageKey;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Stages that executors fetch, their work being too large for a message; each is kept as long as
/// an executor may ask for it. Thread-safe.
final class LargeStages {
  private record Kept(SerializedStage stage, Set<String> executorIds) {}

  private final Map<StageKey, Kept> stages = new ConcurrentHashMap<>();

  void keep(StageKey key, SerializedStage stage, String executorId) {
    stages
        .computeIfAbsent(key, _ -> new Kept(stage, ConcurrentHashMap.newKeySet()))
        .executorIds()
        .add(executorId);
  }

  void forget(StageKey key, String executorId) {
    stages.computeIfPresent(
        key,
        (_, kept) -> {
          kept.executorIds().remove(executorId);
          return kept.executorIds().isEmpty() ? null : kept;
        });
  }

  void executorLost(String executorId) {
    stages.keySet().forEach(key -> forget(key, executorId));
  }

  Content open(FetchStage request) {
    Kept kept = stages.get(new StageKey(request.stageId(), request.stageAttempt()));
    if (kept == null) {
      throw new KilnException(
          "NO_CONTENT", KilnException.Kind.EXTERNAL, "stage " + request.stageId() + " has ended");
    }
    return Content.OfBytes.of(kept.stage().work());
  }
}
