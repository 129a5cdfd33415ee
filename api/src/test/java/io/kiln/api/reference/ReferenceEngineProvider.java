package io.kiln.api.reference;

import io.kiln.api.KilnContext;
import io.kiln.api.spi.Engine;
import io.kiln.api.spi.EngineProvider;

/// Makes the engine against which the API is tested alone.
public final class ReferenceEngineProvider implements EngineProvider {
  @Override
  public Engine start(KilnContext context) {
    return new ReferenceEngine(context);
  }
}
