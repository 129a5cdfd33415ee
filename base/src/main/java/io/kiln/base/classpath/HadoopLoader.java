package io.kiln.base.classpath;

import io.kiln.api.KilnException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;

/// Finds Hadoop's client and what Kiln does with it, in `jars/hadoop`. Behind [SharedLoader], which
/// makes it when somebody first asks for a class of Hadoop's: most applications never do.
///
/// It has no name, so what Hadoop throws keeps its frames in a stack trace, as those of the
/// program's own libraries.
final class HadoopLoader extends URLClassLoader {
  static final String PACKAGE = "org.apache.hadoop.";

  static {
    ClassLoader.registerAsParallelCapable();
  }

  private HadoopLoader(URL[] jars, ClassLoader engine) {
    super(jars, engine);
  }

  /// @param engine finds what is neither Hadoop's nor about it
  static HadoopLoader open(ClassLoader engine) {
    try {
      return new HadoopLoader(InstalledJars.in("hadoop"), engine);
    } catch (IOException e) {
      throw new KilnException(
          "INSTALLATION_BROKEN",
          KilnException.Kind.RESOURCES,
          "this installation is not whole: jars/hadoop cannot be read: " + e,
          e);
    }
  }

  /// Hadoop's own classes are looked for here first: each look through the engine's jars costs, and
  /// there are thousands.
  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PACKAGE)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      try {
        return findClass(name);
      } catch (ClassNotFoundException e) {
        return super.loadClass(name, resolve);
      }
    }
  }
}
