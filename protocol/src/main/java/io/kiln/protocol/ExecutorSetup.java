package io.kiln.protocol;

import java.util.Map;
import java.util.Optional;

/// What an executor has to know about the application.
///
/// @param settings the driver's, without secrets
/// @param ownClassPath whether the application's classes are on the class path of the executor's
///     process, as they are on the driver's
/// @param ioKey by which it encrypts what it stores; empty for not at all
public record ExecutorSetup(
    String applicationId,
    Map<String, String> settings,
    boolean ownClassPath,
    Optional<byte[]> ioKey) {

  /// Without the key.
  @Override
  public String toString() {
    return "ExecutorSetup[" + applicationId + "]";
  }
}
