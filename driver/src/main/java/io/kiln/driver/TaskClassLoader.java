package io.kiln.driver;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;

/// Finds the application's classes for its tasks: those of the program, then those of the jars that
/// were added to the context. Thread-safe.
///
/// It has no name, since a stack trace would put the name before each of the program's frames.
final class TaskClassLoader extends URLClassLoader {
  static {
    registerAsParallelCapable();
  }

  /// @param program the loader of the application itself
  TaskClassLoader(ClassLoader program) {
    super(new URL[0], program);
  }

  /// The loader of the program that makes a context on this thread.
  static ClassLoader ofProgram() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context == null ? TaskClassLoader.class.getClassLoader() : context;
  }

  void add(URI jar) {
    try {
      addURL(jar.toURL());
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(jar.toString(), e);
    }
  }
}
