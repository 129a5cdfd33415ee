package io.kiln.api.spi;

import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicReference;

/// Where the engine behind the API is found. Embedded, everything is on one class path; under
/// `spark-submit` the engine has a class loader of its own, which the application can't see.
public final class EngineLocator {
  private static final AtomicReference<ClassLoader> ENGINE = new AtomicReference<>();

  private EngineLocator() {}

  /// Called once, before the application's main method.
  public static void useClassLoader(ClassLoader engineLoader) {
    ENGINE.set(engineLoader);
  }

  /// @throws IllegalStateException if there is no provider
  public static <S> S load(Class<S> service) {
    ClassLoader loader = ENGINE.get();
    ServiceLoader<S> providers =
        loader == null ? ServiceLoader.load(service) : ServiceLoader.load(service, loader);
    return providers
        .findFirst()
        .or(() -> ServiceLoader.load(service, EngineLocator.class.getClassLoader()).findFirst())
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no "
                        + service.getName()
                        + " found; add kiln-driver and kiln-files to the class path"));
  }
}
