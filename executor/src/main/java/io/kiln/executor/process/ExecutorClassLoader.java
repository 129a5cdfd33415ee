package io.kiln.executor.process;

import io.kiln.api.spi.EngineClasses;
import io.kiln.base.classpath.OwnFirstLoader;
import java.net.URL;
import java.util.function.Predicate;

/// Finds the application's classes in an executor's process: those of its jars, and those that only
/// the driver has, such as what was defined in the shell. Thread-safe.
final class ExecutorClassLoader extends OwnFirstLoader {
  static {
    registerAsParallelCapable();
  }

  /// Asks the driver.
  @FunctionalInterface
  interface DriverClasses {
    /// @return empty if it has no such class
    byte[] find(String resource) throws ClassNotFoundException;
  }

  private final Predicate<String> ownFirst;
  private final ClassLoader engine;
  private final DriverClasses driver;

  /// @param ownFirst whether the application's own class or resource of this path comes first
  /// @param engine classes that it has are not asked for
  ExecutorClassLoader(
      ClassLoader shared, Predicate<String> ownFirst, ClassLoader engine, DriverClasses driver) {
    super(new URL[0], shared);
    this.ownFirst = ownFirst;
    this.engine = engine;
    this.driver = driver;
  }

  void add(URL jar) {
    addURL(jar);
  }

  @Override
  protected boolean isOwnFirst(String resource) {
    return ownFirst.test(resource);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    try {
      return findOwn(name);
    } catch (ClassNotFoundException e) {
      String resource = name.replace('.', '/') + ".class";
      if (name.startsWith(EngineClasses.ROOT) && engine.getResource(resource) != null) {
        throw e;
      }
      byte[] bytes = driver.find(resource);
      if (bytes.length == 0) {
        throw e;
      }
      return defineClass(name, bytes, 0, bytes.length);
    }
  }
}
