package io.kiln.daemon.worker;

import io.kiln.base.resource.FileTree;
import io.kiln.cluster.worker.RunnerOrder.RemoveOldDirectories;
import io.kiln.process.ProcessDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The directories of applications and drivers that nobody has written to for long.
final class OldDirectories {
  private static final Logger LOG = LoggerFactory.getLogger(OldDirectories.class);

  private final Path work;
  private final RemoveOldDirectories order;
  private final Instant limit;

  OldDirectories(Path work, RemoveOldDirectories order) {
    this.work = work;
    this.order = order;
    this.limit = Instant.now().minus(order.age());
  }

  void remove() {
    try (Stream<Path> all = Files.list(work)) {
      for (Path directory : (Iterable<Path>) all::iterator) {
        String name = directory.getFileName().toString();
        if (!ProcessDirectory.isName(name) && !isRunning(name) && isOld(directory)) {
          LOG.info("Removing {}: nobody has written to it since {}", directory, limit);
          FileTree.remove(directory);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("Old directories in {} can't be removed: {}", work, e.toString());
    }
  }

  private boolean isRunning(String name) {
    return Stream.of(order.runningApplications(), order.runningDrivers())
        .flatMap(List::stream)
        .anyMatch(name::equals);
  }

  private boolean isOld(Path directory) throws IOException {
    try (Stream<Path> tree = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) tree::iterator) {
        if (Files.getLastModifiedTime(file).toInstant().isAfter(limit)) {
          return false;
        }
      }
      return Files.isDirectory(directory);
    }
  }
}
