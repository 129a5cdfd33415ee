package io.kiln.submit;

import io.kiln.launcher.Refusal;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;

/// The application's own classes. They see the JDK, the shared jars and each other.
///
/// It has no name, since a stack trace would put the name before each of the program's frames.
final class ApplicationLoader extends URLClassLoader {

  static {
    ClassLoader.registerAsParallelCapable();
  }

  ApplicationLoader(List<Path> classPath, ClassLoader shared) {
    super(urls(classPath), shared);
  }

  private static URL[] urls(List<Path> classPath) {
    URL[] urls = new URL[classPath.size()];
    for (int i = 0; i < urls.length; i++) {
      try {
        urls[i] = classPath.get(i).toUri().toURL();
      } catch (MalformedURLException e) {
        throw new Refusal(classPath.get(i) + " cannot be on a class path: " + e.getMessage());
      }
    }
    return urls;
  }
}
