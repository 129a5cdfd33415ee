package io.kiln.submit;

import io.kiln.base.classpath.OwnFirstLoader;
import io.kiln.base.classpath.SharedLoader;
import io.kiln.launcher.Refusal;
import io.kiln.launcher.SubmitSettings;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;

/// The application's own classes. They see the JDK, the shared jars and each other.
///
/// A class that is in both is the shared one; on request, the application's own comes first, except
/// for Kiln's: of the API there can be but one.
final class ApplicationLoader extends OwnFirstLoader {

  static {
    ClassLoader.registerAsParallelCapable();
  }

  private final boolean ownFirst;
  private final SharedLoader shared;

  ApplicationLoader(List<Path> classPath, boolean ownFirst, SharedLoader shared) {
    super(urls(classPath), shared);
    this.ownFirst = ownFirst;
    this.shared = shared;
  }

  /// Whether the user wants the application's own first. Tasks of a local application see what its
  /// driver sees, so either setting holds for both.
  ///
  /// @throws Refusal if one is neither true nor false
  static boolean isOwnWanted(SubmitSettings settings) {
    boolean ofDriver = isTrue(settings, "spark.driver.userClassPathFirst");
    boolean ofExecutors = isTrue(settings, "spark.executor.userClassPathFirst");
    return ofDriver || ofExecutors;
  }

  private static boolean isTrue(SubmitSettings settings, String key) {
    String value = settings.value(key, "false").trim();
    if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
      throw new Refusal(key + " must be true or false, but is '" + value + "'");
    }
    return value.equalsIgnoreCase("true");
  }

  @Override
  protected boolean isOwnFirst(String resource) {
    return ownFirst && shared.mayBeReplaced(resource);
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
