package io.kiln.driver;

import io.kiln.api.KilnException;
import io.kiln.base.filesystem.FileSystem;
import io.kiln.base.filesystem.FileSystems;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.StorageSettings;
import java.io.IOException;
import java.util.Optional;

/// Where checkpoints go: a directory of the application's own in the one that the user gave.
/// Thread-safe.
final class CheckpointDirectory {
  private final Settings settings;
  private final ClassLoader application;
  private final String applicationId;
  private volatile Optional<String> directory = Optional.empty();

  CheckpointDirectory(Settings settings, ClassLoader application, String applicationId) {
    this.settings = settings;
    this.application = application;
    this.applicationId = applicationId;
    Optional<String> configured = settings.find(StorageSettings.CHECKPOINT_DIRECTORY);
    if (configured.isPresent()) {
      set(configured.get());
    }
  }

  /// @throws KilnException `CHECKPOINT_DIRECTORY_UNUSABLE` if it can't be made
  void set(String parent) {
    String own = FileSystem.child(parent, applicationId);
    FileSystems files = FileSystems.of(settings.texts(), application);
    create(files, files.absolute(own));
    directory = Optional.of(own);
  }

  private static void create(FileSystems files, String path) {
    try {
      files.at(path).createDirectories(path);
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
