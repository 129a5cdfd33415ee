package io.kiln.executor.process;

import io.kiln.api.KilnException;
import io.kiln.base.resource.Archive;
import io.kiln.process.ProcessDirectory;
import io.kiln.protocol.ContentRequest.FetchResource;
import io.kiln.protocol.SharedResource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// What the application has brought, on this machine: fetched once, when the first task needs it.
/// Thread-safe.
final class Resources {
  /// Where what was fetched lies: out of the way of the files' names.
  private static final String FETCHED = ".fetched";

  /// The driver's contents.
  @FunctionalInterface
  interface Source {
    InputStream open(FetchResource request) throws IOException, InterruptedException;
  }

  private final Path directory;
  private final Source source;
  private final ExecutorClassLoader loader;
  private final ReentrantLock lock = new ReentrantLock();

  // guarded by lock
  private final Set<Integer> here = new HashSet<>();

  private volatile List<SharedResource> wanted = List.of();

  /// @param directory where tasks look for files; made when first needed
  Resources(Path directory, Source source, ExecutorClassLoader loader) {
    this.directory = directory;
    this.source = source;
    this.loader = loader;
  }

  /// Lists may come in another order than they were made; they only grow.
  ///
  /// @param all that there is so far
  synchronized void want(List<SharedResource> all) {
    if (all.size() > wanted.size()) {
      wanted = List.copyOf(all);
    }
  }

  List<SharedResource> wanted() {
    return wanted;
  }

  /// Waits until all of these are here. What could not be had is tried again by the next task.
  ///
  /// @throws KilnException `RESOURCE_NOT_FETCHED`
  void ensure(List<SharedResource> needed) throws InterruptedException {
    if (needed.isEmpty()) {
      return;
    }
    lock.lockInterruptibly();
    try {
      for (SharedResource resource : missing(needed)) {
        bring(resource);
        here.add(resource.id());
      }
    } finally {
      lock.unlock();
    }
  }

  private List<SharedResource> missing(List<SharedResource> needed) {
    List<SharedResource> missing = new ArrayList<>();
    for (SharedResource resource : needed) {
      if (!here.contains(resource.id())) {
        missing.add(resource);
      }
    }
    return missing;
  }

  private void bring(SharedResource resource) throws InterruptedException {
    try {
      Path file = resource.localPath().isEmpty() ? fetch(resource) : existing(resource.localPath());
      switch (resource.kind()) {
        case JAR -> loader.add(file.toUri().toURL());
        case ARCHIVE ->
            Archive.of(file, resource.fileName())
                .unpackInto(ProcessDirectory.make(directory).resolve(resource.name()));
        case FILE -> keep(resource, file);
      }
    } catch (KilnException | IOException e) {
      throw new KilnException(
          "RESOURCE_NOT_FETCHED",
          KilnException.Kind.EXTERNAL,
          "the executor can't get "
              + resource.fileName()
              + ", which the application brought, from the driver: "
              + e.getMessage(),
          e);
    }
  }

  private void keep(SharedResource resource, Path file) throws IOException {
    Path target = ProcessDirectory.make(directory).resolve(resource.name());
    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
    if (resource.executable() && !target.toFile().setExecutable(true)) {
      throw new IOException(target + " can't be made executable");
    }
  }

  private static Path existing(String localPath) throws IOException {
    Path path = Path.of(localPath);
    if (!Files.isReadable(path)) {
      throw new IOException(path + " should be on every machine, but can't be read on this one");
    }
    return path;
  }

  private Path fetch(SharedResource resource) throws IOException, InterruptedException {
    Path place =
        ProcessDirectory.make(directory).resolve(FETCHED).resolve(Integer.toString(resource.id()));
    Path file = Files.createDirectories(place).resolve(resource.fileName());
    Path partial = place.resolve(".partial");
    try (InputStream content = source.open(new FetchResource(resource.id()))) {
      Files.copy(content, partial, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
    return file;
  }
}
