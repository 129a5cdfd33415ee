package io.kiln.process;

import io.kiln.api.KilnException;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/// A secret that processes share by which they know each other. The one of an application is made
/// up when the application starts, and its executors find it in their environment; the one of a
/// cluster comes from the settings.
///
/// @param text as it stands in the environment
public record SharedSecret(String text) {
  private static final Set<PosixFilePermission> OTHERS_READ =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_WRITE);

  /// A random one for each application, whatever the settings give: that is a cluster's, and no
  /// executor is to know it.
  ///
  /// @return empty if processes are not to authenticate each other
  public static Optional<SharedSecret> ofApplication(Settings settings) {
    return settings.get(NetworkSettings.AUTHENTICATE)
        ? Optional.of(fresh(settings))
        : Optional.empty();
  }

  /// The one that the settings give, or a random one.
  ///
  /// @return empty if processes are not to authenticate each other
  /// @throws KilnException `SETTING_INVALID`, `SECRET_FILE_UNUSABLE`
  public static Optional<SharedSecret> of(Settings settings) {
    if (!settings.get(NetworkSettings.AUTHENTICATE)) {
      return Optional.empty();
    }
    Optional<String> file = settings.find(NetworkSettings.SECRET_FILE);
    Optional<String> given = settings.find(NetworkSettings.SECRET);
    if (file.isPresent() && given.isPresent()) {
      throw new KilnException(
          "SETTING_INVALID",
          KilnException.Kind.USER,
          "both "
              + NetworkSettings.SECRET.key()
              + " and "
              + NetworkSettings.SECRET_FILE.key()
              + " are set; set one of them");
    }
    if (file.isPresent()) {
      return Optional.of(in(Path.of(file.get())));
    }
    return Optional.of(given.map(SharedSecret::new).orElseGet(() -> fresh(settings)));
  }

  /// The one in a file that nobody but its owner may read.
  ///
  /// @throws KilnException `SECRET_FILE_UNUSABLE`
  public static SharedSecret in(Path file) {
    return new SharedSecret(read(file));
  }

  /// A random one.
  public static SharedSecret fresh(Settings settings) {
    return new SharedSecret(random(settings.get(NetworkSettings.SECRET_BITS)));
  }

  private static String read(Path file) {
    try {
      if (Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS_READ::contains)) {
        throw unusable(file, "others than its owner may read or write it; run chmod 600", null);
      }
      String text = Files.readString(file).strip();
      if (text.isEmpty()) {
        throw unusable(file, "it is empty", null);
      }
      return text;
    } catch (IOException e) {
      throw unusable(file, e.toString(), e);
    }
  }

  private static KilnException unusable(Path file, String why, Throwable cause) {
    return new KilnException(
        "SECRET_FILE_UNUSABLE",
        KilnException.Kind.USER,
        "the secret can't be taken from " + file + ": " + why,
        cause);
  }

  private static String random(int bits) {
    byte[] bytes = new byte[(bits + Byte.SIZE - 1) / Byte.SIZE];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  public byte[] bytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return "SharedSecret[...]";
  }
}
