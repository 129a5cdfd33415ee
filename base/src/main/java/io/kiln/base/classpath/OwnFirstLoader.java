package io.kiln.base.classpath;

import java.net.URL;
import java.net.URLClassLoader;

/// Finds some classes in its own jars before it asks its parent. Thread-safe.
///
/// It has no name, since a stack trace would put the name before each frame of what it loads.
public abstract class OwnFirstLoader extends URLClassLoader {
  static {
    ClassLoader.registerAsParallelCapable();
  }

  protected OwnFirstLoader(URL[] jars, ClassLoader parent) {
    super(jars, parent);
  }

  /// @param resource its path, which for a class ends with `.class`
  protected abstract boolean isOwnFirst(String resource);

  /// The class in this loader's own jars.
  protected Class<?> findOwn(String name) throws ClassNotFoundException {
    return super.findClass(name);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!isOwnFirst(name.replace('.', '/').concat(".class"))) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      try {
        return findOwn(name);
      } catch (ClassNotFoundException e) {
        return super.loadClass(name, resolve);
      }
    }
  }

  @Override
  public URL getResource(String name) {
    URL own = isOwnFirst(name) ? findResource(name) : null;
    return own == null ? super.getResource(name) : own;
  }
}
