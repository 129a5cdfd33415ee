package io.kiln.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The names of all packages and classes of the source tree, and of the JDK's public packages'
/// classes. Immutable once read.
final class SourceNames {

  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|interface|record|enum) ([A-Z]\\w*)");

  private final Set<String> packages = new HashSet<>();

  /// The files that declare a class, by its simple name.
  private final Map<String, Set<Path>> classes = new HashMap<>();

  private final Set<String> jdk = new HashSet<>();

  private SourceNames() {}

  static SourceNames of(Path checkout) throws IOException {
    SourceNames names = new SourceNames();
    try (Stream<Path> modules = Files.list(checkout)) {
      for (Path module : modules.toList()) {
        for (String kind : List.of("main", "test")) {
          Path root = module.resolve("src").resolve(kind).resolve("java");
          if (Files.isDirectory(root)) {
            names.readSources(root);
          }
        }
      }
    }
    names.readJdk();
    return names;
  }

  private void readSources(Path root) throws IOException {
    Path kiln = root.resolve("io/kiln");
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        DECLARED
            .matcher(Files.readString(file))
            .results()
            .forEach(
                found -> classes.computeIfAbsent(found.group(1), _ -> new HashSet<>()).add(file));
        if (file.startsWith(kiln)) {
          String name = kiln.relativize(file.getParent()).toString().replace('/', '.');
          for (int end = name.length(); end > 0; end = name.lastIndexOf('.', end - 1)) {
            packages.add(name.substring(0, end));
          }
        }
      }
    }
  }

  private void readJdk() throws IOException {
    Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules");
    for (String module : List.of("java.base", "java.logging")) {
      try (Stream<Path> files = Files.walk(modules.resolve(module).resolve("java"))) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".class"))
            .forEach(name -> jdk.add(name.substring(name.lastIndexOf('$') + 1, name.length() - 6)));
      }
    }
  }

  /// @param name without `io.kiln.`
  boolean hasPackage(String name) {
    return packages.contains(name);
  }

  /// @param name simple
  boolean hasClass(String name) {
    return classes.containsKey(name) || jdk.contains(name);
  }

  /// Whether one of the classes of that name mentions the member; of the JDK's, all have any.
  boolean hasMember(String name, String member) {
    Pattern word = Pattern.compile("\\b" + Pattern.quote(member) + "\\b");
    return jdk.contains(name)
        || classes.getOrDefault(name, Set.of()).stream()
            .anyMatch(file -> word.matcher(text(file)).find());
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
