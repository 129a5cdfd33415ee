package io.kiln.base.filesystem;

import io.kiln.api.KilnException;
import io.kiln.base.classpath.HadoopLoader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The file systems that an application reaches. Immutable and thread-safe. The driver makes one of
/// the application's settings; what tasks need of it travels with what they read and write.
///
/// A local path is told from others by its text alone, and leads to no class of a provider's. A
/// path without a scheme is local too, unless the settings or a `core-site.xml` name another
/// default.
public final class FileSystems implements Serializable {
  private static final String PREFIX = "spark.hadoop.";
  private static final List<String> DEFAULT_KEYS = List.of("fs.defaultFS", "fs.default.name");
  private static final String SITE_FILE = "core-site.xml";
  private static final Pattern SCHEME =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):/.*", Pattern.DOTALL);
  private static final String FILE = "file:";

  /// May hold secrets, so it is printed nowhere.
  private final Map<String, String> settings;

  /// Finds configuration files, and file systems that the application brings. Null in a task, whose
  /// thread has it.
  private final transient ClassLoader application;

  private FileSystems(Map<String, String> settings, ClassLoader application) {
    this.settings = Map.copyOf(settings);
    this.application = application;
  }

  /// That of this machine.
  public static FileSystem local() {
    return LocalFileSystem.INSTANCE;
  }

  /// @param texts the application's settings, by key
  /// @param application its class loader: a thread that the program starts may have another
  public static FileSystems of(Map<String, String> texts, ClassLoader application) {
    Map<String, String> own = new HashMap<>();
    texts.forEach(
        (key, value) -> {
          if (key.startsWith(PREFIX)) {
            own.put(key.substring(PREFIX.length()), value);
          }
        });
    return new FileSystems(own, application);
  }

  /// Makes what a user wrote absolute. Glob characters are untouched.
  ///
  /// @throws KilnException `SCHEME_UNSUPPORTED` if it leads nowhere
  public String absolute(String path) {
    Matcher uri = SCHEME.matcher(path);
    if (uri.matches()) {
      String scheme = uri.group(1).toLowerCase(Locale.ROOT);
      return scheme.equals("file")
          ? LocalPath.absolute(path)
          : provided(scheme, path).absolute(path);
    }
    if (isDefaultLocal()) {
      return LocalPath.absolute(path);
    }
    String absolute = provided("", path).absolute(path);
    return absolute.startsWith(FILE) ? LocalPath.absolute(absolute) : absolute;
  }

  /// @param path absolute
  public FileSystem at(String path) {
    return isLocal(path)
        ? LocalFileSystem.INSTANCE
        : provided(path.substring(0, path.indexOf(':')).toLowerCase(Locale.ROOT), path);
  }

  private static boolean isLocal(String path) {
    return path.startsWith("/");
  }

  /// What a task needs to read or write these paths.
  ///
  /// @param paths absolute
  public FileSystems forTasks(Iterable<String> paths) {
    for (String path : paths) {
      if (!isLocal(path)) {
        return new FileSystems(inApplication(this::completeSettings), null);
      }
    }
    return new FileSystems(Map.of(), null);
  }

  private Map<String, String> completeSettings() {
    Map<String, String> complete = settings;
    for (FileSystemProvider provider : Installed.PROVIDERS) {
      complete = provider.complete(complete);
    }
    return complete;
  }

  /// Hadoop looks for its files, and for classes, by the thread's loader.
  private <T> T inApplication(Supplier<T> work) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader());
    try {
      return work.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private ClassLoader loader() {
    ClassLoader found =
        application == null ? Thread.currentThread().getContextClassLoader() : application;
    return found == null ? ClassLoader.getSystemClassLoader() : found;
  }

  private FileSystem provided(String scheme, String path) {
    return inApplication(() -> find(scheme)).orElseThrow(() -> unsupported(scheme, path));
  }

  private Optional<FileSystem> find(String scheme) {
    for (FileSystemProvider provider : Installed.PROVIDERS) {
      Optional<FileSystem> found = provider.find(scheme, settings);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static KilnException unsupported(String scheme, String path) {
    return new KilnException(
        "SCHEME_UNSUPPORTED",
        KilnException.Kind.USER,
        "can't use '"
            + path
            + "': there is no file system for the scheme '"
            + scheme
            + "'; "
            + (Installed.PROVIDERS.isEmpty()
                ? "kiln-hadoop and Hadoop's client are not on the class path: add them, or use a"
                    + " local path"
                : "correct it, or add the jar that has it with --jars and, if that registers none,"
                    + " its class as spark.hadoop.fs."
                    + scheme
                    + ".impl"));
  }

  /// Loads nothing to find out, where nobody says otherwise.
  private boolean isDefaultLocal() {
    for (String key : DEFAULT_KEYS) {
      if (settings.containsKey(key)) {
        return settings.get(key).startsWith(FILE);
      }
    }
    URL site = loader().getResource(SITE_FILE);
    return site == null || !mayNameDefault(site);
  }

  /// What it says exactly is the provider's to read, as the file may include others.
  private static boolean mayNameDefault(URL site) {
    try (InputStream in = site.openStream()) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return DEFAULT_KEYS.stream().anyMatch(text::contains) || text.contains("include");
    } catch (IOException e) {
      throw new UncheckedIOException("can't read " + site, e);
    }
  }

  /// Those of this installation; looked for once.
  private static final class Installed {
    static final List<FileSystemProvider> PROVIDERS =
        ServiceLoader.load(FileSystemProvider.class, HadoopLoader.ofProcess()).stream()
            .map(ServiceLoader.Provider::get)
            .toList();
  }
}
