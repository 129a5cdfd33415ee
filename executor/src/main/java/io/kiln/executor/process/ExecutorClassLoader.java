package io.kiln.executor.process;

import java.net.URL;
import java.net.URLClassLoader;

/// Finds the application's classes in an executor's process: those of its jars, and those that only
/// the driver has, such as what was defined in the shell. Thread-safe.
///
/// It has no name, since a stack trace would put the name before each of the program's frames.
final class ExecutorClassLoader extends URLClassLoader {
  private static final String KILN = "io.kiln.";
  private static final String SHARED_API = "org.slf4j.";

  static {
    registerAsParallelCapable();
  }

  /// Asks the driver.
  @FunctionalInterface
  interface DriverClasses {
    /// @return empty if it has no such class
    byte[] find(String resource) throws ClassNotFoundException;
  }

  private final boolean ownFirst;
  private final ClassLoader engine;
  private final DriverClasses driver;

  /// @param ownFirst whether the application's libraries come before those that it shares with the
  ///     engine
  /// @param engine classes that it has are not asked for
  ExecutorClassLoader(
      ClassLoader shared, boolean ownFirst, ClassLoader engine, DriverClasses driver) {
    super(new URL[0], shared);
    this.ownFirst = ownFirst;
    this.engine = engine;
    this.driver = driver;
  }

  void add(URL jar) {
    addURL(jar);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!ownFirst || !name.startsWith(SHARED_API)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      try {
        return super.findClass(name);
      } catch (ClassNotFoundException e) {
        return super.loadClass(name, resolve);
      }
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    try {
      return super.findClass(name);
    } catch (ClassNotFoundException e) {
      String resource = name.replace('.', '/') + ".class";
      if (name.startsWith(KILN) && engine.getResource(resource) != null) {
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
