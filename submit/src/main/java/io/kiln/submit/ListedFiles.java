package io.kiln.submit;

import io.kiln.api.KilnException;
import io.kiln.base.filesystem.FileSystems;
import io.kiln.base.filesystem.Glob;
import io.kiln.base.resource.Resource;
import io.kiln.launcher.Refusal;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Files, jars and archives that the user lists by commas: paths and `file:` and `local:` URIs,
/// which may be globs, and `http:` and `https:` URIs.
final class ListedFiles {

  private ListedFiles() {}

  /// What is meant, in the order of the list: files that are there, by their absolute paths, and
  /// remote ones, which have not been asked for.
  ///
  /// @param culprit the option or setting to blame
  /// @throws Refusal if one doesn't exist, or can't be had from there
  static List<Resource> find(String list, String culprit) {
    if (list.isEmpty()) {
      return List.of();
    }
    List<Resource> found = new ArrayList<>();
    for (String item : Glob.splitAtCommas(list)) {
      String text = item.trim();
      if (!text.isEmpty()) {
        found.addAll(expand(parse(text, culprit), culprit));
      }
    }
    return found;
  }

  /// @throws Refusal if it can't be one
  static Resource parse(String text, String culprit) {
    try {
      Resource resource = Resource.parse(text);
      Object _ = resource.isRemote() ? resource.uri() : resource.path();
      return resource;
    } catch (KilnException e) {
      throw new Refusal(culprit + ": " + e.getMessage());
    }
  }

  /// @throws Refusal if it isn't on this machine
  static Path path(String text, String culprit) {
    try {
      return Resource.parse(text).path();
    } catch (KilnException e) {
      throw new Refusal(culprit + ": " + e.getMessage());
    }
  }

  private static List<Resource> expand(Resource resource, String culprit) {
    if (resource.isRemote()) {
      return List.of(resource);
    }
    Path path = resource.path();
    if (Files.exists(path)) {
      return List.of(new Resource(path.toAbsolutePath().toString(), resource.alias()));
    }
    List<Resource> matching = new ArrayList<>();
    for (Path match : matching(path.toAbsolutePath().toString(), culprit)) {
      matching.add(new Resource(match.toString(), resource.alias()));
    }
    if (matching.isEmpty()) {
      throw new Refusal(culprit + " names " + resource.location() + ", which does not exist");
    }
    if (matching.size() > 1 && !resource.alias().isEmpty()) {
      throw new Refusal(
          culprit
              + " gives the name "
              + resource.alias()
              + " to "
              + resource.location()
              + ", which matches "
              + matching.size()
              + " files; a name is for one");
    }
    return matching;
  }

  private static List<Path> matching(String pattern, String culprit) {
    if (!Glob.isPattern(pattern)) {
      return List.of();
    }
    try {
      return Glob.find(FileSystems.local(), pattern, _ -> false).stream()
          .map(found -> Path.of(found.path()))
          .toList();
    } catch (IllegalArgumentException e) {
      throw new Refusal(culprit + " names " + pattern + ", which is no pattern: " + e.getMessage());
    } catch (IOException e) {
      throw new Refusal(culprit + " names " + pattern + ", which can't be looked up: " + e);
    }
  }

  /// @return empty if it can't be read
  static List<Path> jarsIn(Path directory) {
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*.jar")) {
      for (Path jar : found) {
        jars.add(jar);
      }
    } catch (IOException e) {
      return List.of();
    }
    Collections.sort(jars);
    return jars;
  }
}
