package io.kiln.driver;

import io.kiln.api.KilnException;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.StorageSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Where checkpoints go: a directory of the application's own in the one that the user gave.
/// Thread-safe.
final class CheckpointDirectory {
  private final String applicationId;
  private volatile Optional<String> directory = Optional.empty();

  CheckpointDirectory(Settings settings, String applicationId) {
    this.applicationId = applicationId;
    Optional<String> configured = settings.find(StorageSettings.CHECKPOINT_DIRECTORY);
    if (configured.isPresent()) {
      set(configured.get());
    }
  }

  /// @throws KilnException `CHECKPOINT_DIRECTORY_UNUSABLE` if it is local and can't be made
  void set(String parent) {
    String own = parent.endsWith("/") ? parent + applicationId : parent + "/" + applicationId;
    if (own.startsWith("file:")) {
      create(Path.of(URI.create(own)));
    } else if (!own.contains("://")) {
      create(Path.of(own));
    }
    directory = Optional.of(own);
  }

  private static void create(Path path) {
    try {
      Files.createDirectories(path);
    } catch (IOException e) {
      throw new KilnException(
          "CHECKPOINT_DIRECTORY_UNUSABLE",
          KilnException.Kind.USER,
          "the checkpoint directory "
              + path
              + " can't be created ("
              + e
              + "); choose one that can be written to",
          e);
    }
  }

  Optional<String> get() {
    return directory;
  }
}
