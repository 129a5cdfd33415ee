package io.kiln.runtime;

import io.kiln.api.KilnException;

/// Hears that a host has stopped because a machine or an edge threw.
@FunctionalInterface
public interface FailureHandler {
  /// Called once, on the host's thread, after the host has begun to refuse messages.
  void hostFailed(KilnException failure);
}
