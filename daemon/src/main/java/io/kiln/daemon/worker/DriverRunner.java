package io.kiln.daemon.worker;

import io.kiln.api.KilnException;
import io.kiln.base.resource.Downloads;
import io.kiln.base.resource.Downloads.Download;
import io.kiln.base.resource.Resource;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.StandaloneSettings;
import io.kiln.cluster.protocol.Command;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.worker.RunnerOrder.StartDriver;
import io.kiln.process.EngineJvm;
import io.kiln.process.ParentWatch;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/// How a driver's process is started: in `WORK/DRIVER`, where its jar and what it prints are too.
///
/// Its settings are in a file there that nobody else can read, as secrets may be among them.
final class DriverRunner {
  private static final long MEBIBYTE = 1L << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String LIBRARY_PATH = "LD_LIBRARY_PATH";
  private static final String USER_JAR = "{{USER_JAR}}";

  private final StartDriver order;
  private final ExecutorRunner.Worker worker;

  DriverRunner(StartDriver order, ExecutorRunner.Worker worker) {
    this.order = order;
    this.worker = worker;
  }

  Path directory() {
    return worker.work().path().resolve(order.driverId());
  }

  /// Its settings, among which are secrets, go with it.
  ///
  /// @throws IOException if they stay
  void clearUp() throws IOException {
    Files.deleteIfExists(settingsFile());
  }

  private Path settingsFile() {
    return directory().resolve("spark-" + order.launch() + "." + order.attempt() + ".conf");
  }

  /// Makes the directory and fetches the jar, which may take long.
  ///
  /// @throws IOException if a file can't be written
  /// @throws KilnException if the jar can't be had
  ProcessBuilder prepare() throws IOException {
    DriverDescription driver = order.driver();
    Users.User user = worker.users().find(driver.user());
    Path place = user.makeDirectory(directory());
    Path jar = jar(driver.jarUrl(), user);
    Path settings = settings(driver.properties());
    List<String> arguments = new ArrayList<>();
    arguments.add("--properties-file");
    arguments.add(settings.toString());
    for (String argument : driver.command().arguments()) {
      arguments.add(
          argument.replace("{{WORKER_URL}}", worker.workerUrl()).replace(USER_JAR, jar.toString()));
    }
    Command command = driver.command();
    List<String> options = new ArrayList<>(command.javaOptions());
    options.add(ParentWatch.option());
    ProcessBuilder builder =
        new ProcessBuilder(
            user.command(
                EngineJvm.DRIVER.command(
                    driver.memoryMebibytes() * MEBIBYTE, options, command.mainClass(), arguments)));
    worker.environment().apply(builder, List.of(user.environment(), command.environment()));
    user.own(settings);
    addLibraryPath(command.libraryPath(), builder.environment());
    return builder.directory(place.toFile()).redirectInput(new File("/dev/null"));
  }

  private Path jar(String url, Users.User user) throws IOException {
    Resource resource = Resource.parse(url);
    if (resource.isOnEachMachine()) {
      return resource.path();
    }
    Path jar = directory().resolve(resource.fileName());
    if (resource.isRemote()) {
      Downloads.fetch(List.of(new Download(resource.uri(), jar)), PATIENCE, _ -> {});
      user.own(jar);
      return jar;
    }
    if (!Files.isRegularFile(resource.path())) {
      throw new KilnException(
          Resource.INVALID,
          KilnException.Kind.USER,
          "the application's jar "
              + url
              + " can't be had: there is no such file on the worker's host; in cluster mode the jar"
              + " must be where each worker finds it");
    }
    if (user.isOther()) {
      return resource.path(); // he reads it himself, or may not
    }
    Files.copy(resource.path(), jar, StandardCopyOption.REPLACE_EXISTING);
    return jar;
  }

  private static void addLibraryPath(List<String> more, Map<String, String> environment) {
    List<String> path = new ArrayList<>(more);
    Optional.ofNullable(environment.get(LIBRARY_PATH)).ifPresent(path::add);
    if (!more.isEmpty()) {
      environment.put(LIBRARY_PATH, String.join(File.pathSeparator, path));
    }
  }

  private Path settings(Map<String, String> settings) throws IOException {
    Path file = settingsFile();
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Properties properties = new Properties();
    properties.putAll(settings);
    properties.put(StandaloneSettings.DRIVER_ID.key(), order.driverId());
    if (order.secret().isPresent()) {
      properties.put(StandaloneSettings.DRIVER_SECRET.key(), order.secret().get());
    } else {
      properties.putIfAbsent(NetworkSettings.AUTHENTICATE.key(), "false");
    }
    try (Writer writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      properties.store(writer, null);
    }
    return file;
  }
}
