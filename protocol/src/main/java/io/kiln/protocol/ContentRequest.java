package io.kiln.protocol;

/// What is fetched as a content, being too large for a message.
public sealed interface ContentRequest {

  /// Of the driver: the serialised work of a stage.
  record FetchStage(int stageId, int stageAttempt) implements ContentRequest {}

  /// Of the driver: a [SharedResource].
  record FetchResource(int id) implements ContentRequest {}

  /// Of an executor: the value of a [io.kiln.protocol.TaskResult.Kept], once.
  record FetchResult(long taskId) implements ContentRequest {}
}
