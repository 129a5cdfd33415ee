package io.kiln.hadoop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.PrivilegedExceptionAction;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.UserGroupInformation;

/// Hadoop's configuration, and as whom its file systems are used. Thread-safe.
///
/// The configuration has, weakest first: Hadoop's defaults, the files `*-site.xml` that the
/// application's class loader finds, and the application's settings. An executor gets what the
/// driver's files say among those settings, as its machine may have no such files.
final class HadoopAccess {
  /// Where services ask for no proof of who one is, executors act for the driver's user.
  private static final String USER_KEY = "kiln.hadoop.user";

  /// Of a server that does not even refuse; each try takes 20 s, and Hadoop's own number is 45.
  private static final int SILENT_TRIES = 2;

  private static final String SILENT_TRIES_KEY = "ipc.client.connect.max.retries.on.timeouts";

  private final Configuration configuration;

  private HadoopAccess(Configuration configuration) {
    this.configuration = configuration;
  }

  static HadoopAccess of(Map<String, String> settings) {
    HdfsConfiguration.init(); // else its site file is not read
    Configuration configuration = new Configuration();
    settings.forEach((key, value) -> configuration.set(key, value, "spark.hadoop." + key));
    if (isDefault(configuration, SILENT_TRIES_KEY)) {
      configuration.setInt(SILENT_TRIES_KEY, SILENT_TRIES);
    }
    UserGroupInformation.setConfiguration(configuration);
    return new HadoopAccess(configuration);
  }

  private static boolean isDefault(Configuration configuration, String key) {
    String[] sources = configuration.getPropertySources(key);
    return sources == null
        || sources.length == 0
        || sources[sources.length - 1].endsWith("-default.xml");
  }

  Configuration configuration() {
    return configuration;
  }

  /// What is not said by Hadoop's defaults.
  Map<String, String> ownSettings() {
    Map<String, String> own = new HashMap<>();
    for (Map.Entry<String, String> entry : configuration) {
      if (!isDefault(configuration, entry.getKey())) {
        own.put(entry.getKey(), entry.getValue());
      }
    }
    if (!UserGroupInformation.isSecurityEnabled()) {
      own.put(USER_KEY, currentUser().getUserName());
    }
    return own;
  }

  /// Hadoop keeps one for each user and server. It looks for their classes by the thread's loader,
  /// once for good, so whoever is first must have that of the application.
  FileSystem of(Path path) throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(configuration.getClassLoader());
    try {
      return open(path);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private FileSystem open(Path path) throws IOException {
    String user = configuration.get(USER_KEY);
    UserGroupInformation current = currentUser();
    if (user == null
        || user.equals(current.getUserName())
        || UserGroupInformation.isSecurityEnabled()) {
      return path.getFileSystem(configuration);
    }
    try {
      PrivilegedExceptionAction<FileSystem> open = () -> path.getFileSystem(configuration);
      return Remote.user(user).doAs(open);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a file system was opened", e);
    }
  }

  private static UserGroupInformation currentUser() {
    try {
      return UserGroupInformation.getCurrentUser();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The driver's user in an executor. Hadoop takes two objects of one name for two users, and
  /// would keep a file system for each.
  private static final class Remote {
    private static final Map<String, UserGroupInformation> USERS = new HashMap<>();

    static synchronized UserGroupInformation user(String name) {
      return USERS.computeIfAbsent(name, UserGroupInformation::createRemoteUser);
    }
  }
}
