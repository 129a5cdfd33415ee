package io.kiln.submit;

import io.kiln.launcher.Refusal;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/// Files that the user lists by commas: paths, `file:` and `local:` URIs, globs in the last part.
final class LocalFiles {

  private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]+):.*");

  private LocalFiles() {}

  /// @param culprit the option or setting to blame
  /// @throws Refusal if one doesn't exist, or isn't a local file
  static List<Path> find(String list, String culprit) {
    List<Path> found = new ArrayList<>();
    for (String item : list.split(",", -1)) {
      String text = item.trim();
      if (!text.isEmpty()) {
        found.addAll(expand(path(text, culprit), text, culprit));
      }
    }
    return found;
  }

  /// @throws Refusal if the text is a URI of something that isn't a local file
  static Path path(String text, String culprit) {
    var scheme = SCHEME.matcher(text);
    if (!scheme.matches()) {
      return Path.of(text);
    }
    return switch (scheme.group(1)) {
      case "file", "local" -> Path.of(URI.create(text.replace(" ", "%20")).getPath());
      default ->
          throw new Refusal(
              "%s names %s: only local files are available in this version"
                  .formatted(culprit, text));
    };
  }

  private static List<Path> expand(Path path, String text, String culprit) {
    if (Files.exists(path)) {
      return List.of(path);
    }
    List<Path> matching = new ArrayList<>();
    Path parent = path.toAbsolutePath().getParent();
    if (parent != null && path.getFileName().toString().matches(".*[*?\\[{].*")) {
      PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + path.getFileName());
      for (Path file : filesIn(parent)) {
        if (matcher.matches(file.getFileName())) {
          matching.add(file);
        }
      }
    }
    if (matching.isEmpty()) {
      throw new Refusal("%s names %s, which does not exist".formatted(culprit, text));
    }
    return matching;
  }

  static List<Path> jarsIn(Path directory) {
    List<Path> jars = new ArrayList<>(filesIn(directory));
    jars.removeIf(file -> !file.toString().endsWith(".jar"));
    return jars;
  }

  private static List<Path> filesIn(Path directory) {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory)) {
      found.forEach(files::add);
    } catch (IOException | DirectoryIteratorException e) {
      return List.of();
    }
    Collections.sort(files);
    return files;
  }
}
