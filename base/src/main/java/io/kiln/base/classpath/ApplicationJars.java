package io.kiln.base.classpath;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/// The jars in which an application's classes are looked for, in order. They are read at each
/// question; one that can't be read counts as empty. Immutable.
public final class ApplicationJars {
  private static final String CLASS = ".class";

  private final List<Path> jars;

  /// A class that is in a jar.
  ///
  /// @param className by its full name
  public record Found(String className, Path jar) {}

  /// Two jars that have classes in common.
  ///
  /// @param used the one that comes first, whose classes hold
  /// @param count how many
  /// @param example one of them
  public record Overlap(Path used, Path hidden, int count, String example) {}

  /// @param entries of a class path; what doesn't end with `.jar` is left out
  public ApplicationJars(List<Path> entries) {
    Set<Path> found = new LinkedHashSet<>();
    for (Path entry : entries) {
      if (entry.toString().endsWith(".jar")) {
        found.add(entry);
      }
    }
    this.jars = List.copyOf(found);
  }

  /// Those of a loader and its parents, the parents' first.
  public static ApplicationJars of(ClassLoader loader) {
    List<Path> entries = new ArrayList<>();
    for (ClassLoader at = loader; at != null; at = at.getParent()) {
      List<Path> own = new ArrayList<>();
      if (at instanceof URLClassLoader urls) {
        for (URL url : urls.getURLs()) {
          path(url).ifPresent(own::add);
        }
      } else if (at == ClassLoader.getSystemClassLoader()) {
        for (String entry : System.getProperty("java.class.path", "").split(File.pathSeparator)) {
          own.add(Path.of(entry));
        }
      }
      entries.addAll(0, own);
    }
    return new ApplicationJars(entries);
  }

  private static Optional<Path> path(URL url) {
    try {
      return url.getProtocol().equals("file")
          ? Optional.of(Path.of(url.toURI()))
          : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  public List<Path> paths() {
    return jars;
  }

  /// Where the class is.
  public Optional<Found> find(String className) {
    return first(className::equals);
  }

  /// A class of the same simple name, in another package or with other capitals.
  public Optional<Found> similar(String className) {
    String simple = simpleName(className);
    return first(name -> simpleName(name).equalsIgnoreCase(simple) && !name.equals(className));
  }

  /// Another class of the same package.
  public Optional<Found> ofSamePackage(String className) {
    int dot = className.lastIndexOf('.');
    return dot < 0
        ? Optional.empty()
        : first(name -> name.lastIndexOf('.') == dot && name.regionMatches(0, className, 0, dot));
  }

  private static String simpleName(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }

  private Optional<Found> first(Predicate<String> wanted) {
    for (Path jar : jars) {
      for (String name : classes(jar)) {
        if (wanted.test(name)) {
          return Optional.of(new Found(name, jar));
        }
      }
    }
    return Optional.empty();
  }

  /// Which jars have the same classes, by the order of the jars.
  public List<Overlap> overlaps() {
    Map<String, Path> first = new LinkedHashMap<>();
    Map<List<Path>, Overlap> overlaps = new LinkedHashMap<>();
    for (Path jar : jars) {
      for (String name : classes(jar)) {
        Path used = first.putIfAbsent(name, jar);
        if (used != null && !used.equals(jar)) {
          overlaps.merge(
              List.of(used, jar),
              new Overlap(used, jar, 1, name),
              (old, _) -> new Overlap(used, jar, old.count() + 1, old.example()));
        }
      }
    }
    return List.copyOf(overlaps.values());
  }

  private static List<String> classes(Path jar) {
    List<String> names = new ArrayList<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (Enumeration<? extends ZipEntry> all = file.entries(); all.hasMoreElements(); ) {
        String name = all.nextElement().getName();
        if (name.endsWith(CLASS)
            && !name.startsWith("META-INF/")
            && !name.endsWith("-info.class")) {
          names.add(name.substring(0, name.length() - CLASS.length()).replace('/', '.'));
        }
      }
    } catch (IOException e) {
      return List.of();
    }
    return names;
  }
}
