package io.kiln.driver;

import io.kiln.api.KilnContext;
import io.kiln.api.spi.Engine;
import io.kiln.api.spi.EngineProvider;

/// Starts the engine in this process. Found by `ServiceLoader`.
public final class LocalEngineProvider implements EngineProvider {

  @Override
  public Engine start(KilnContext context) {
    return LocalEngine.start(context);
  }
}
