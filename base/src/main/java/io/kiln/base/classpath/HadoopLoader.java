package io.kiln.base.classpath;

import io.kiln.api.KilnException;
import java.io.IOException;
import java.net.URL;

/// Finds Hadoop's client and what Kiln does with it, in `jars/hadoop`; where there is none, on the
/// class path. Made when somebody first asks for a class of Hadoop's: most applications never do.
///
/// A process has one, as Hadoop keeps in static fields who is logged in. An application sees it
/// through its [SharedLoader].
public final class HadoopLoader extends OwnFirstLoader {
  static final String PACKAGE = "org.apache.hadoop.";
  static final String PACKAGE_PATH = "org/apache/hadoop/";

  static {
    ClassLoader.registerAsParallelCapable();
  }

  private HadoopLoader(URL[] jars, ClassLoader engine) {
    super(jars, engine);
  }

  /// That of the engine.
  public static ClassLoader ofProcess() {
    return OfProcess.LOADER;
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

  private static final class OfProcess {
    static final HadoopLoader LOADER = open(HadoopLoader.class.getClassLoader());
  }

  /// Each look through the engine's jars costs, and there are thousands of classes.
  @Override
  protected boolean isOwnFirst(String resource) {
    return resource.startsWith(PACKAGE_PATH);
  }
}
