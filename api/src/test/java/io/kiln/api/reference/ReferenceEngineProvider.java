package io.kiln.api.reference;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.spi.Engine;
import io.kiln.api.spi.EngineLocator;
import io.kiln.api.spi.EngineProvider;
import java.net.URL;
import java.net.URLClassLoader;

/// Makes the engine against which the API is tested alone.
public final class ReferenceEngineProvider implements EngineProvider {

  /// A context over a reference engine. Its registration is kept out of the class path's usual
  /// place, so that it never stands in for the real engine.
  public static KilnContext newContext() {
    URL registrations = ReferenceEngineProvider.class.getResource("/reference/");
    ClassLoader parent = ReferenceEngineProvider.class.getClassLoader();
    EngineLocator.useClassLoader(new URLClassLoader(new URL[] {registrations}, parent));
    return KilnContext.create(new KilnConf(false));
  }

  @Override
  public Engine start(KilnContext context) {
    return new ReferenceEngine(context);
  }
}
