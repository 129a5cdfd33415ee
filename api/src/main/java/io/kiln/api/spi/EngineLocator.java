package io.kiln.api.spi;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
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
    ClassLoader engine = ENGINE.get();
    ClassLoader loader = engine == null ? Thread.currentThread().getContextClassLoader() : engine;
    return find(service, loader)
        .or(() -> find(service, EngineLocator.class.getClassLoader()))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no "
                        + service.getName()
                        + " found; add kiln-driver and kiln-files to the class path"));
  }

  private static <S> Optional<S> find(Class<S> service, ClassLoader loader) {
    ClassLoader known = loader == null ? ClassLoader.getSystemClassLoader() : loader;
    return ServiceLoader.load(service, new FirstOfEach(known)).findFirst();
  }

  /// Of each resource only the first. The JDK's loaders search for a second one before they give
  /// out the first, and to find none they open every jar of the class path: a sixth of a short
  /// program's start.
  private static final class FirstOfEach extends ClassLoader {
    FirstOfEach(ClassLoader parent) {
      super(parent);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      URL first = getResource(name);
      return first == null
          ? Collections.emptyEnumeration()
          : Collections.enumeration(List.of(first));
    }
  }
}
