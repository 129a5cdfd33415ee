package io.kiln.driver;

import io.kiln.api.KilnContext;
import io.kiln.api.spi.Engine;
import io.kiln.api.spi.EngineProvider;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/// Starts the engine of a context. Found by `ServiceLoader`.
public final class DriverEngineProvider implements EngineProvider {
  private static final AtomicReference<Consumer<String>> OBSERVER = new AtomicReference<>();

  /// Has the id of each application that starts in this process from now on told to the observer,
  /// on the thread that starts it.
  public static void onStart(Consumer<String> observer) {
    OBSERVER.set(observer);
  }

  @Override
  public Engine start(KilnContext context) {
    DriverEngine engine = DriverEngine.start(context);
    Consumer<String> observer = OBSERVER.get();
    if (observer != null) {
      observer.accept(engine.applicationId());
    }
    return engine;
  }
}
