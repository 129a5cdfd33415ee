package io.kiln.base.classpath;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;

/// Jars that the JVM's class path leaves out, so that who doesn't need them pays nothing for them.
public final class InstalledJars {

  private InstalledJars() {}

  /// Those of a directory beside that of this class's own jar; none if it isn't in a jar.
  public static URL[] in(String directory) throws IOException {
    CodeSource source = InstalledJars.class.getProtectionDomain().getCodeSource();
    List<URL> urls = new ArrayList<>();
    Path place = sibling(source, directory);
    if (Files.isDirectory(place)) {
      try (DirectoryStream<Path> jars = Files.newDirectoryStream(place, "*.jar")) {
        for (Path jar : jars) {
          urls.add(jar.toUri().toURL());
        }
      }
    }
    return urls.toArray(new URL[0]);
  }

  private static Path sibling(CodeSource source, String directory) throws IOException {
    try {
      return Path.of(source.getLocation().toURI()).getParent().resolveSibling(directory);
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }
}
