package io.kiln.api.spi;

import io.kiln.api.KilnContext;

/// Starts the engine of a context. Found by [EngineLocator].
public interface EngineProvider {

  /// @throws io.kiln.api.KilnException if a setting doesn't parse or a resource can't be had;
  /// nothing is left behind
  Engine start(KilnContext context);
}
