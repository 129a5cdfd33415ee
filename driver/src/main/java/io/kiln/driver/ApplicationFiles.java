package io.kiln.driver;

import io.kiln.api.KilnException;
import io.kiln.base.resource.Archive;
import io.kiln.base.resource.Downloads;
import io.kiln.base.resource.Downloads.Download;
import io.kiln.base.resource.FileTree;
import io.kiln.base.resource.Resource;
import io.kiln.driver.cluster.Application;
import io.kiln.process.ProcessDirectory;
import io.kiln.protocol.SharedResource;
import io.kiln.protocol.SharedResource.Kind;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// The files, jars and archives that were given to the context. Files are copied and archives
/// unpacked into a directory of the application that is removed at its end; jars on this machine
/// serve from where they are. Thread-safe.
///
/// What was added once under a name stays: adding the same again does nothing. One is added after
/// the other; those who only ask what there is don't wait for downloads.
final class ApplicationFiles implements Application.Resources, AutoCloseable {
  /// Where what was fetched lies: out of the way of the files' names.
  private static final String FETCHED = ".fetched";

  private final Path directory;
  private final Duration fetchTimeout;
  private final TaskClassLoader loader;

  // guarded by this
  private final Map<String, URI> files = new LinkedHashMap<>();
  private final Map<String, URI> jars = new LinkedHashMap<>();
  private final Map<String, URI> archives = new LinkedHashMap<>();
  private final List<SharedResource> shared = new ArrayList<>();
  private final List<Path> sources = new ArrayList<>();
  private boolean closed;

  /// Held while something is added, which may take long; taken before the monitor.
  private final ReentrantLock adding = new ReentrantLock();

  // guarded by adding
  private int fetched;

  /// Held while a directory is packed; taken before the monitor.
  private final ReentrantLock packing = new ReentrantLock();

  /// @param directory made when first needed
  /// @param fetchTimeout how long a server may say nothing
  ApplicationFiles(Path directory, Duration fetchTimeout, TaskClassLoader loader) {
    this.directory = directory;
    this.fetchTimeout = fetchTimeout;
    this.loader = loader;
  }

  Path directory() {
    return directory;
  }

  /// @throws KilnException `INPUT_PATH_MISSING`, or `FILE_NOT_ADDED` if it can't be had
  void addFile(String path, boolean recursive) {
    add(files, path, () -> bringFile(path, recursive));
  }

  /// What was brought: to be found at a URI by this process, and to be shared.
  private record Brought(URI uri, Kind kind, Resource resource, Path source) {}

  private void add(Map<String, URI> known, String path, Supplier<Brought> bring) {
    adding.lock();
    try {
      if (knows(known, path)) {
        return;
      }
      Brought brought = bring.get();
      synchronized (this) {
        if (!closed) {
          known.put(path, brought.uri());
          share(brought.kind(), brought.resource(), brought.source());
          return;
        }
      }
      ProcessDirectory.remove(directory);
      throw JobRunner.closedException();
    } catch (IOException e) {
      throw notAdded(path, "the context was closed meanwhile, and " + directory + " stays", e);
    } finally {
      adding.unlock();
    }
  }

  private synchronized boolean knows(Map<String, URI> known, String path) {
    return known.containsKey(path);
  }

  private Brought bringFile(String path, boolean recursive) {
    Resource resource = resource(path);
    Path source = onThisMachine(path, resource);
    if (Files.isDirectory(source) && !recursive) {
      throw notAdded(path, "it is a directory; ask for it to be added recursively", null);
    }
    Path target = target(resource);
    try {
      ProcessDirectory.make(directory);
      FileTree.copy(source, target);
    } catch (IOException e) {
      throw notAdded(path, "copying it to " + target + " failed: " + e, e);
    }
    return new Brought(target.toUri(), Kind.FILE, resource, target);
  }

  /// The archive's content is found as a directory from now on.
  ///
  /// @throws KilnException `INPUT_PATH_MISSING`, or `FILE_NOT_ADDED` if it can't be had
  void addArchive(String path) {
    add(archives, path, () -> bringArchive(path));
  }

  private Brought bringArchive(String path) {
    Resource resource = resource(path);
    Path source = onThisMachine(path, resource);
    Path target = target(resource);
    try {
      ProcessDirectory.make(directory);
      Archive.of(source, resource.fileName()).unpackInto(target);
    } catch (KilnException | IOException e) {
      throw notAdded(path, e.getMessage(), e);
    }
    return new Brought(target.toUri(), Kind.ARCHIVE, resource, source);
  }

  /// The jar's classes are found by tasks from now on.
  ///
  /// @throws KilnException `INPUT_PATH_MISSING`, or `FILE_NOT_ADDED` if it can't be had
  void addJar(String path) {
    add(jars, path, () -> bringJar(path));
  }

  private Brought bringJar(String path) {
    Resource resource = resource(path);
    Path source = onThisMachine(path, resource).toAbsolutePath().normalize();
    loader.add(source.toUri());
    return new Brought(source.toUri(), Kind.JAR, resource, source);
  }

  synchronized List<URI> files() {
    return new ArrayList<>(files.values());
  }

  synchronized List<URI> archives() {
    return new ArrayList<>(archives.values());
  }

  synchronized List<URI> jars() {
    return new ArrayList<>(jars.values());
  }

  /// A directory goes as an archive of itself.
  private void share(Kind kind, Resource resource, Path source) {
    boolean tree = kind == Kind.FILE && Files.isDirectory(source);
    boolean onEachMachine = resource.isOnEachMachine() && !tree;
    sources.add(source);
    shared.add(
        new SharedResource(
            shared.size(),
            tree ? Kind.ARCHIVE : kind,
            resource.name(),
            tree ? resource.fileName() + ".tar" : resource.fileName(),
            onEachMachine ? source.toAbsolutePath().toString() : "",
            kind == Kind.FILE && !tree && Files.isExecutable(source)));
  }

  @Override
  public synchronized List<SharedResource> all() {
    return List.copyOf(shared);
  }

  @Override
  public Optional<Path> file(int id) throws IOException {
    Optional<Path> source = source(id);
    if (source.isEmpty() || !Files.isDirectory(source.get())) {
      return source;
    }
    packing.lock();
    try {
      Path tree = source(id).orElseThrow();
      if (Files.isDirectory(tree)) {
        Path place = Files.createDirectories(ProcessDirectory.make(directory).resolve(FETCHED));
        Path packed = place.resolve(id + ".tar");
        Archive.pack(tree, packed);
        replaceSource(id, packed);
      }
      return source(id);
    } finally {
      packing.unlock();
    }
  }

  private synchronized Optional<Path> source(int id) {
    return id < 0 || id >= sources.size() ? Optional.empty() : Optional.of(sources.get(id));
  }

  private synchronized void replaceSource(int id, Path source) {
    sources.set(id, source);
  }

  private static Resource resource(String path) {
    try {
      return Resource.parse(path);
    } catch (KilnException e) {
      throw notAdded(path, e.getMessage(), e);
    }
  }

  private Path onThisMachine(String path, Resource resource) {
    Path source;
    try {
      source = resource.isRemote() ? fetch(resource) : resource.path();
    } catch (KilnException | IOException e) {
      throw notAdded(resource.shown(), e.getMessage(), e);
    }
    if (!Files.exists(source)) {
      throw new KilnException(
          "INPUT_PATH_MISSING",
          KilnException.Kind.USER,
          "can't add " + path + ": there is no such file; check the path");
    }
    return source;
  }

  private Path fetch(Resource resource) throws IOException {
    Path place =
        ProcessDirectory.make(directory).resolve(FETCHED).resolve(Integer.toString(fetched++));
    Path file = Files.createDirectories(place).resolve(resource.fileName());
    Downloads.fetch(List.of(new Download(resource.uri(), file)), fetchTimeout, _ -> {});
    return file;
  }

  private Path target(Resource resource) {
    Path target = directory.resolve(resource.name());
    if (Files.exists(target)) {
      throw notAdded(
          resource.shown(),
          "another of this name was added before; give it another, as in PATH#NAME",
          null);
    }
    return target;
  }

  private static KilnException notAdded(String path, String why, Throwable cause) {
    return new KilnException(
        "FILE_NOT_ADDED", KilnException.Kind.USER, "can't add " + path + ": " + why, cause);
  }

  /// Removes the directory. Idempotent.
  ///
  /// @throws IOException if something stays
  @Override
  public void close() throws IOException {
    synchronized (this) {
      closed = true;
    }
    try {
      loader.close();
    } finally {
      ProcessDirectory.remove(directory);
    }
  }
}
