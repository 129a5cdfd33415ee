package io.kiln.base.classpath;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/// What an application may see of this process: the JDK, the packages of `jars/shared`, and
/// Hadoop's of `jars/hadoop`.
///
/// The engine and what it depends on are on the JVM's class path, because only classes there come
/// out of an AOT cache; this loader stands before it and lets nothing else through. The parent of
/// the application's own loader.
public final class SharedLoader extends ClassLoader {

  static {
    ClassLoader.registerAsParallelCapable();
  }

  /// Every class in `jars/shared` is below one of these, and no class of the engine is.
  public static final List<String> PACKAGES =
      List.of("io.kiln.api.", "io.kiln.launcher.", "org.slf4j.");

  /// Hadoop looks for these by the application's loader. They have their values in no package.
  private static final List<String> HADOOP_DEFAULTS =
      List.of("core-default.xml", "mapred-default.xml", "yarn-default.xml");

  private static final String HADOOP_SERVICES = "META-INF/services/" + HadoopLoader.PACKAGE;

  private static final String KILN = "io.kiln.";

  private final ClassLoader everything;
  private HadoopLoader hadoop;

  /// @param everything finds the shared classes, among others
  public SharedLoader(ClassLoader everything) {
    super("shared", ClassLoader.getPlatformClassLoader());
    this.everything = everything;
  }

  /// The loader of Hadoop's client, and of what Kiln does with it.
  public synchronized ClassLoader hadoop() {
    if (hadoop == null) {
      hadoop = HadoopLoader.open(everything);
    }
    return hadoop;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (name.startsWith(HadoopLoader.PACKAGE)) {
      return hadoop().loadClass(name);
    }
    if (!isShared(name)) {
      throw new ClassNotFoundException(name);
    }
    return everything.loadClass(name);
  }

  @Override
  protected URL findResource(String name) {
    if (isHadoopResource(name)) {
      return hadoop().getResource(name);
    }
    return isShared(name.replace('/', '.')) ? everything.getResource(name) : null;
  }

  @Override
  protected Enumeration<URL> findResources(String name) throws IOException {
    if (isHadoopResource(name)) {
      return hadoop().getResources(name);
    }
    return isShared(name.replace('/', '.'))
        ? everything.getResources(name)
        : Collections.emptyEnumeration();
  }

  private static boolean isHadoopResource(String name) {
    return name.startsWith(HADOOP_SERVICES)
        || name.replace('/', '.').startsWith(HadoopLoader.PACKAGE)
        || HADOOP_DEFAULTS.contains(name);
  }

  /// Whether an application that wants its own libraries first gets its own class of this name: of
  /// the API there can be but one.
  public static boolean mayBeReplaced(String name) {
    return isShared(name) && !name.startsWith(KILN);
  }

  /// Whether the class of this name may be the process's rather than the application's.
  public static boolean isShared(String name) {
    for (String shared : PACKAGES) {
      if (name.startsWith(shared)) {
        return true;
      }
    }
    return name.startsWith(HadoopLoader.PACKAGE);
  }
}
