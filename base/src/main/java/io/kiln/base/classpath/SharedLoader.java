package io.kiln.base.classpath;

import io.kiln.api.KilnConf;
import io.kiln.api.spi.EngineClasses;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/// What an application may see of this process: the JDK, what is in `jars/shared`, and Hadoop's of
/// `jars/hadoop`.
///
/// The engine and what it depends on are on the JVM's class path, because only classes there come
/// out of an AOT cache; this loader stands before it and lets nothing else through. The parent of
/// the application's own loader.
public final class SharedLoader extends ClassLoader {

  static {
    ClassLoader.registerAsParallelCapable();
  }

  /// Hadoop looks for these by the application's loader. They have their values in no package.
  private static final List<String> HADOOP_DEFAULTS =
      List.of("core-default.xml", "mapred-default.xml", "yarn-default.xml");

  private static final String HADOOP_SERVICES = "META-INF/services/" + HadoopLoader.PACKAGE;

  private static final String KILN = EngineClasses.ROOT.replace('.', '/');
  private static final String ABOUT_A_JAR = "META-INF/";

  private final ClassLoader everything;

  /// Tells what is shared, and loads nothing.
  private final URLClassLoader shared;

  private ClassLoader hadoop;

  /// @param everything finds the shared classes, among others
  /// @param shared what is in these jars and directories is shared
  public SharedLoader(ClassLoader everything, URL... shared) {
    super("shared", ClassLoader.getPlatformClassLoader());
    this.everything = everything;
    this.shared = new URLClassLoader(shared, null);
  }

  /// Shares the jars in the directory of the API's own jar.
  ///
  /// @param everything finds the shared classes, among others
  public static SharedLoader ofInstallation(ClassLoader everything) {
    return new SharedLoader(everything, InstalledJars.beside(KilnConf.class));
  }

  /// The loader of Hadoop's client, and of what Kiln does with it.
  public synchronized ClassLoader hadoop() {
    if (hadoop == null) {
      hadoop =
          everything == HadoopLoader.class.getClassLoader()
              ? HadoopLoader.ofProcess()
              : HadoopLoader.open(everything);
    }
    return hadoop;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (name.startsWith(HadoopLoader.PACKAGE)) {
      return hadoop().loadClass(name);
    }
    if (!isInSharedJar(name.replace('.', '/').concat(".class"))) {
      throw new ClassNotFoundException(name);
    }
    return everything.loadClass(name);
  }

  @Override
  protected URL findResource(String name) {
    if (isHadoopResource(name)) {
      return hadoop().getResource(name);
    }
    return isInSharedJar(name) ? everything.getResource(name) : null;
  }

  @Override
  protected Enumeration<URL> findResources(String name) throws IOException {
    if (isHadoopResource(name)) {
      return hadoop().getResources(name);
    }
    return isInSharedJar(name) ? everything.getResources(name) : Collections.emptyEnumeration();
  }

  private static boolean isHadoopResource(String name) {
    return name.startsWith(HADOOP_SERVICES)
        || name.startsWith(HadoopLoader.PACKAGE_PATH)
        || HADOOP_DEFAULTS.contains(name);
  }

  private boolean isInSharedJar(String resource) {
    return !resource.startsWith(ABOUT_A_JAR) && shared.findResource(resource) != null;
  }

  /// Whether an application that wants its own libraries first gets its own of this: of
  /// the API there can be but one.
  ///
  /// @param resource its path, which for a class ends with `.class`
  public boolean mayBeReplaced(String resource) {
    return !resource.startsWith(KILN)
        && (resource.startsWith(HadoopLoader.PACKAGE_PATH) || isInSharedJar(resource));
  }
}
