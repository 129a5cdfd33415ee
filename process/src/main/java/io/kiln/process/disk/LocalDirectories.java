package io.kiln.process.disk;

import io.kiln.api.KilnException;
import io.kiln.base.resource.FileTree;
import io.kiln.process.ProcessDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The process's scratch directories: files are spread over them by the hash of their names.
/// Thread-safe.
///
/// A directory that turns out unusable is left alone from then on, with a warning, while another
/// works. Each group of files (a shuffle, the blocks, the spills) has a directory of its own, so
/// that it can be removed as a whole.
public final class LocalDirectories implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(LocalDirectories.class);

  private final CopyOnWriteArrayList<Path> roots = new CopyOnWriteArrayList<>();
  private final Set<Path> made = ConcurrentHashMap.newKeySet();
  private final List<Path> all;

  private LocalDirectories(List<Path> roots) {
    this.roots.addAll(roots);
    this.all = List.copyOf(roots);
  }

  /// @throws KilnException with code `LOCAL_DIR_UNUSABLE` if none can be written to
  public static LocalDirectories open(List<Path> parents) {
    List<Path> roots = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (Path parent : parents) {
      try {
        roots.add(ProcessDirectory.make(ProcessDirectory.in(parent, "blocks")));
      } catch (IOException | SecurityException e) {
        failures.add(parent + " (" + describe(e) + ")");
      }
    }
    String failed = String.join(", ", failures);
    if (roots.isEmpty()) {
      throw new KilnException(
          "LOCAL_DIR_UNUSABLE",
          KilnException.Kind.USER,
          "no scratch directory can be written to: "
              + failed
              + "; set spark.local.dir to a directory that this user can write to");
    }
    if (!failures.isEmpty()) {
      logger.warn("going on without scratch directories that can't be written to: {}", failed);
    }
    return new LocalDirectories(roots);
  }

  private static String describe(Exception e) {
    return e.getClass().getSimpleName() + (e.getMessage() == null ? "" : ": " + e.getMessage());
  }

  /// The directories themselves, one in each scratch directory that could be used at the start. A
  /// group is a directory in each.
  public List<Path> roots() {
    return all;
  }

  /// Where a new file may be made. Its directory exists.
  ///
  /// @param group directory name
  /// @throws KilnException with code `LOCAL_DIR_UNUSABLE` if no directory works any more
  public Path newFile(String group, String name) {
    while (true) {
      List<Path> usable = List.copyOf(roots);
      if (usable.isEmpty()) {
        throw new KilnException(
            "LOCAL_DIR_UNUSABLE",
            KilnException.Kind.RESOURCES,
            "no scratch directory can be written to any more: all of " + all + " failed");
      }
      Path root = usable.get(Math.floorMod((name.hashCode() * 0x9E3779B9) >>> 7, usable.size()));
      Path directory = root.resolve(group);
      if (made.contains(directory)) {
        return directory.resolve(name);
      }
      try {
        Files.createDirectories(directory);
        made.add(directory);
        return directory.resolve(name);
      } catch (IOException e) {
        logger.warn("scratch directory {} failed ({}); going on without it", root, describe(e));
        roots.remove(root);
      }
    }
  }

  /// Removes a group's files. What can't be removed is said in the log.
  public void removeGroup(String group) {
    for (Path root : all) {
      Path directory = root.resolve(group);
      if (made.remove(directory)) {
        removeTree(directory);
      }
    }
  }

  @Override
  public void close() {
    roots.clear();
    made.clear();
    for (Path root : all) {
      try {
        ProcessDirectory.remove(root);
      } catch (IOException e) {
        logger.warn("can't remove {}: {}", root, describe(e));
      }
    }
  }

  /// Removes a file if it is there. What can't be removed is said in the log.
  public static void removeFile(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      logger.warn("can't remove {}: {}", file, describe(e));
    }
  }

  private static void removeTree(Path directory) {
    try {
      FileTree.remove(directory);
    } catch (IOException e) {
      logger.warn("can't remove {}: {}", directory, describe(e));
    }
  }
}
