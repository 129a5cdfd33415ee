package io.kiln.submit.packages;

import io.kiln.launcher.Refusal;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.LongConsumer;

/// Loads the resolver for one use. Its jars are kept off the JVM's class path, so that a submission
/// without packages pays nothing for them and no version of theirs meets one of the engine's.
public final class PackageResolvers {

  private PackageResolvers() {}

  /// As [PackageResolver#resolve].
  public static ResolvedPackages resolve(PackageRequest request, LongConsumer progress) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader("resolver", jars(), PackageResolvers.class.getClassLoader())) {
      thread.setContextClassLoader(loader);
      return ServiceLoader.load(PackageResolver.class, loader)
          .findFirst()
          .orElseThrow(
              () ->
                  new Refusal(
                      "This installation is not whole: it has no jars/resolver, which packages"
                          + " need; install or build it again"))
          .resolve(request, progress);
    } catch (IOException e) {
      throw new Refusal("The resolver of packages cannot be loaded: " + e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /// Those beside the directory that this class's own jar is in; none if it isn't in a jar.
  private static URL[] jars() throws IOException {
    CodeSource source = PackageResolvers.class.getProtectionDomain().getCodeSource();
    List<URL> urls = new ArrayList<>();
    Path directory = directory(source);
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, "*.jar")) {
        for (Path jar : jars) {
          urls.add(jar.toUri().toURL());
        }
      }
    }
    return urls.toArray(new URL[0]);
  }

  private static Path directory(CodeSource source) throws IOException {
    try {
      return Path.of(source.getLocation().toURI()).getParent().resolveSibling("resolver");
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }
}
