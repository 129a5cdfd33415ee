package io.kiln.submit;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/// What an application may see of this process: the JDK, and the packages of `jars/shared`.
///
/// The engine and what it depends on are on the JVM's class path, because only classes there come
/// out of an AOT cache; this loader stands before it and lets nothing else through. The parent of
/// the application's own loader.
final class SharedLoader extends ClassLoader {

  static {
    ClassLoader.registerAsParallelCapable();
  }

  /// Every class in `jars/shared` is below one of these, and no class of the engine is.
  static final List<String> PACKAGES = List.of("io.kiln.api.", "io.kiln.launcher.", "org.slf4j.");

  private final ClassLoader everything;

  /// @param everything finds the shared classes, among others
  SharedLoader(ClassLoader everything) {
    super("shared", ClassLoader.getPlatformClassLoader());
    this.everything = everything;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (!isShared(name)) {
      throw new ClassNotFoundException(name);
    }
    return everything.loadClass(name);
  }

  @Override
  protected URL findResource(String name) {
    return isShared(name.replace('/', '.')) ? everything.getResource(name) : null;
  }

  @Override
  protected Enumeration<URL> findResources(String name) throws IOException {
    return isShared(name.replace('/', '.'))
        ? everything.getResources(name)
        : Collections.emptyEnumeration();
  }

  static boolean isShared(String name) {
    for (String shared : PACKAGES) {
      if (name.startsWith(shared)) {
        return true;
      }
    }
    return false;
  }
}
