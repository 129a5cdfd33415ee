package io.kiln.submit.packages;

import io.kiln.base.classpath.InstalledJars;
import io.kiln.launcher.Refusal;
import java.io.IOException;
import java.net.URLClassLoader;
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
        new URLClassLoader(
            "resolver", InstalledJars.in("resolver"), PackageResolvers.class.getClassLoader())) {
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
}
