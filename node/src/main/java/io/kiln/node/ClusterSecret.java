package io.kiln.node;

import io.kiln.api.KilnException;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.StandaloneSettings;
import io.kiln.process.ProcessDirectory;
import io.kiln.process.SharedSecret;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/// What the masters of a cluster know, and from which all its keys follow ([ClusterKeys]): given by
/// the settings, or in a file that the first master makes, and that is copied to other masters'
/// hosts.
public final class ClusterSecret {

  private ClusterSecret() {}

  /// For a master: makes the file if it isn't there.
  ///
  /// @return empty if processes are not to authenticate each other
  /// @throws KilnException `SETTING_INVALID`, `SECRET_FILE_UNUSABLE`
  public static Optional<SharedSecret> orNew(Settings settings) {
    if (isFromFile(settings)) {
      make(file(settings), settings);
    }
    return find(settings);
  }

  /// For whoever has it.
  ///
  /// @return empty if processes are not to authenticate each other
  /// @throws KilnException `SETTING_INVALID`, `SECRET_FILE_UNUSABLE`
  public static Optional<SharedSecret> find(Settings settings) {
    if (!isFromFile(settings)) {
      return SharedSecret.of(settings);
    }
    Path file = file(settings);
    if (!Files.exists(file)) {
      throw new KilnException(
          "SECRET_FILE_UNUSABLE",
          KilnException.Kind.USER,
          "there is no secret of the cluster in "
              + file
              + ": start a master here first, or copy the file from the master's host (mode 600),"
              + " or set "
              + NetworkSettings.SECRET_FILE.key());
    }
    return Optional.of(SharedSecret.in(file));
  }

  static boolean isFromFile(Settings settings) {
    return settings.get(NetworkSettings.AUTHENTICATE)
        && !settings.isSet(NetworkSettings.SECRET)
        && !settings.isSet(NetworkSettings.SECRET_FILE);
  }

  static Path file(Settings settings) {
    return settings
        .find(StandaloneSettings.SECRET_FILE)
        .map(Path::of)
        .orElseGet(() -> Path.of(System.getProperty("user.home"), ".kiln", "cluster.secret"));
  }

  /// Whole, or not at all, though two may start at once.
  private static void make(Path file, Settings settings) {
    if (Files.exists(file)) {
      return;
    }
    try {
      Files.createDirectories(file.toAbsolutePath().getParent(), ProcessDirectory.OWNER_ONLY);
      Path written =
          Files.createTempFile(
              file.toAbsolutePath().getParent(),
              "secret",
              null,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      try {
        Files.writeString(written, SharedSecret.fresh(settings).text() + "\n");
        Files.createLink(file, written); // fails where another was faster
      } finally {
        Files.delete(written);
      }
    } catch (FileAlreadyExistsException e) {
      return; // the other's counts
    } catch (IOException e) {
      throw new KilnException(
          "SECRET_FILE_UNUSABLE",
          KilnException.Kind.USER,
          "the secret of the cluster can't be kept in " + file + ": " + e,
          e);
    }
  }
}
