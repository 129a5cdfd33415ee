package io.kiln.node;

import io.kiln.api.KilnException;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Setting;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.StandaloneSettings;
import io.kiln.process.SharedSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where the keys are that a cluster's other processes hold: files that masters write, beside the
/// file of the secret unless a setting says where, and that are copied to other hosts.
public final class KeyFiles {
  private static final Logger LOG = LoggerFactory.getLogger(KeyFiles.class);
  private static final String FOR_WORKERS = ".worker.key";
  private static final String FOR_SUBMITTERS = ".submit.key";

  private KeyFiles() {}

  /// The key of a worker: from its file, or else by the cluster's secret, if that is here.
  ///
  /// @return empty if processes are not to authenticate each other
  /// @throws KilnException `SETTING_INVALID`, `SECRET_FILE_UNUSABLE`
  public static Optional<RoleKey> ofWorker(Settings settings) {
    return find(settings, StandaloneSettings.WORKER_KEY_FILE, FOR_WORKERS, ClusterKeys::ofWorkers);
  }

  /// The key of those who submit, likewise; a driver that the cluster runs has been given its own.
  ///
  /// @return empty if processes are not to authenticate each other
  /// @throws KilnException `SETTING_INVALID`, `SECRET_FILE_UNUSABLE`
  public static Optional<RoleKey> ofSubmitter(Settings settings) {
    return find(
        settings, StandaloneSettings.SUBMIT_KEY_FILE, FOR_SUBMITTERS, ClusterKeys::ofSubmitters);
  }

  private static Optional<RoleKey> find(
      Settings settings,
      Setting<String> setting,
      String name,
      Function<ClusterKeys, RoleKey> derived) {
    if (!settings.get(NetworkSettings.AUTHENTICATE)) {
      return Optional.empty();
    }
    Optional<Path> named = settings.find(setting).map(Path::of);
    if (named.isPresent()) {
      return Optional.of(read(named.get()));
    }
    if (ClusterSecret.isFromFile(settings)) {
      Path beside = beside(settings, name);
      if (Files.exists(beside)) {
        return Optional.of(read(beside));
      }
      if (!Files.exists(ClusterSecret.file(settings))) {
        throw missing(beside, setting);
      }
    }
    return ClusterSecret.find(settings).map(SharedSecret::bytes).map(ClusterKeys::new).map(derived);
  }

  /// `cluster.secret` has `cluster.worker.key` beside it.
  private static Path beside(Settings settings, String ending) {
    Path secret = ClusterSecret.file(settings).toAbsolutePath();
    String name = secret.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return secret.resolveSibling((dot > 0 ? name.substring(0, dot) : name) + ending);
  }

  private static KilnException missing(Path file, Setting<String> setting) {
    return new KilnException(
        "SECRET_FILE_UNUSABLE",
        KilnException.Kind.USER,
        "there is no key of the cluster in "
            + file
            + ": start a master here first, or copy the file from the master's host (mode 600), or"
            + " set "
            + setting.key());
  }

  private static RoleKey read(Path file) {
    return RoleKey.parse(SharedSecret.in(file).text())
        .orElseThrow(
            () ->
                new KilnException(
                    "SECRET_FILE_UNUSABLE",
                    KilnException.Kind.USER,
                    file + " holds no key that a master has written: copy it from there again"));
  }

  static void write(ClusterKeys keys, Settings settings) {
    write(keys.ofWorkers(), settings, StandaloneSettings.WORKER_KEY_FILE, FOR_WORKERS);
    write(keys.ofSubmitters(), settings, StandaloneSettings.SUBMIT_KEY_FILE, FOR_SUBMITTERS);
  }

  private static void write(RoleKey key, Settings settings, Setting<String> setting, String name) {
    Optional<Path> named = settings.find(setting).map(Path::of);
    if (named.isPresent()) {
      try {
        write(key, named.get());
      } catch (IOException e) {
        throw new KilnException(
            "SECRET_FILE_UNUSABLE",
            KilnException.Kind.USER,
            "the key can't be kept in " + named.get() + ", as " + setting.key() + " says: " + e,
            e);
      }
    } else if (ClusterSecret.isFromFile(settings)) {
      Path beside = beside(settings, name);
      try {
        write(key, beside);
      } catch (IOException e) {
        // whoever has the secret needs no such file
        LOG.warn("{} can't be written, for other hosts to have: {}", beside, e.toString());
      }
    }
  }

  /// Whole, or not at all, and only where something else is there.
  private static void write(RoleKey key, Path file) throws IOException {
    String text = key.keyText() + "\n" + HexFormat.of().formatHex(key.masterPublicKey()) + "\n";
    if (Files.exists(file) && Files.readString(file).equals(text)) {
      return;
    }
    Path written =
        Files.createTempFile(
            file.toAbsolutePath().getParent(),
            "key",
            null,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      Files.writeString(written, text);
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(written);
    }
  }
}
