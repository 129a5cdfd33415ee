package io.kiln.submit;

import io.kiln.launcher.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/// The application's resource, seen to be a jar.
///
/// @param mainClassOfManifest empty if its manifest names none
record ApplicationJar(Path path, String mainClassOfManifest) {

  /// @param text how the user named it
  /// @throws Refusal if it isn't a jar that can be read
  static ApplicationJar open(Path path, String text) {
    if (!Files.exists(path)) {
      throw new Refusal("The application jar %s does not exist".formatted(text));
    }
    if (Files.isDirectory(path)) {
      throw new Refusal("The application %s is a directory: submit a jar".formatted(text));
    }
    try (JarFile jar = new JarFile(path.toFile())) {
      Manifest manifest = jar.getManifest();
      String main =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
      return new ApplicationJar(path, main == null ? "" : main.trim());
    } catch (IOException e) {
      throw new Refusal(
          "The application %s is not a jar that can be read: %s".formatted(text, e.getMessage()));
    }
  }

  /// @throws Refusal if the manifest names none
  String mainClass() {
    if (mainClassOfManifest.isEmpty()) {
      throw new Refusal(
          "No main class: %s has no Main-Class in its manifest; name it by --class"
              .formatted(path));
    }
    return mainClassOfManifest;
  }
}
