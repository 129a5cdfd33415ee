package io.kiln.base.classpath;

import io.kiln.api.KilnException;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;

/// Jars that the JVM's class path leaves out, so that who doesn't need them pays nothing for them.
public final class InstalledJars {
  private static final String JAR = ".jar";

  private InstalledJars() {}

  /// The jar that a class is in, with those beside it; what the class is in, if that is no jar.
  static URL[] beside(Class<?> type) {
    URL own = type.getProtectionDomain().getCodeSource().getLocation();
    if (!own.getPath().endsWith(JAR)) {
      return new URL[] {own};
    }
    try {
      return jars(new File(place(own)).getParentFile());
    } catch (IOException e) {
      throw new KilnException(
          "INSTALLATION_BROKEN",
          KilnException.Kind.RESOURCES,
          "this installation is not whole: what is beside " + own + " cannot be read: " + e,
          e);
    }
  }

  /// Those of a directory beside that of this class's own jar; none if it isn't in a jar.
  public static URL[] in(String directory) throws IOException {
    URL own = InstalledJars.class.getProtectionDomain().getCodeSource().getLocation();
    File sibling = new File(new File(place(own)).getParentFile().getParentFile(), directory);
    return sibling.isDirectory() ? jars(sibling) : new URL[0];
  }

  /// By [File], which every start has loaded.
  private static URL[] jars(File directory) throws IOException {
    String[] names = directory.list();
    if (names == null) {
      throw new IOException(directory + " is not a readable directory");
    }
    List<URL> urls = new ArrayList<>();
    for (String name : names) {
      if (name.endsWith(JAR)) {
        urls.add(new File(directory, name).toURI().toURL());
      }
    }
    return urls.toArray(new URL[0]);
  }

  private static URI place(URL location) {
    return URI.create(location.toString());
  }
}
