package io.kiln.driver.cluster;

import io.kiln.process.LastWords;
import io.kiln.process.ProcessDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What lost executors wrote to their standard output and error, kept for the user to read; it
/// stays when the application ends. Thread-safe.
final class LostOutputs {
  static final String STDOUT = "stdout";
  static final String STDERR = "stderr";

  private static final Logger LOG = LoggerFactory.getLogger(LostOutputs.class);

  /// Executors that fail again and again say much the same.
  private static final int MAX_KEPT = 20;

  private final Path directory;
  private final AtomicInteger kept = new AtomicInteger();
  private boolean made; // guarded by this

  /// @param directory made when there is something to keep
  LostOutputs(Path directory) {
    this.directory = directory;
  }

  /// @param from where the executor wrote it
  /// @return what it said last and where the rest is, on one line; empty if it said nothing
  String keep(String executorId, Path from) {
    String lastWords = LastWords.of(from.resolve(STDERR));
    Path target = directory.resolve("executor-" + executorId);
    try {
      boolean silent = isEmpty(from.resolve(STDERR)) && isEmpty(from.resolve(STDOUT));
      if (silent || kept.getAndIncrement() >= MAX_KEPT) {
        return lastWords;
      }
      makeOnce();
      Files.createDirectories(target);
      for (String name : new String[] {STDERR, STDOUT}) {
        Files.move(from.resolve(name), target.resolve(name), StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      LOG.warn("What executor {} wrote can't be kept in {}: {}", executorId, target, e.toString());
      return lastWords;
    }
    return lastWords + (lastWords.isEmpty() ? "" : "; ") + "all that it wrote is in " + target;
  }

  /// Not where there is something already: the name may have been seen by others.
  private synchronized void makeOnce() throws IOException {
    if (!made) {
      Files.createDirectory(directory, ProcessDirectory.OWNER_ONLY);
      made = true;
    }
  }

  private static boolean isEmpty(Path file) throws IOException {
    return Files.size(file) == 0;
  }
}
