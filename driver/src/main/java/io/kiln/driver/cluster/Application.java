package io.kiln.driver.cluster;

import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.settings.Settings;
import io.kiln.protocol.SharedResource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What executors need to know of the application, and where the driver finds it.
///
/// @param id the only one that the application has
/// @param classes the application's
/// @param ownClassPath whether the application's classes are on the class path of this process
/// @param ioKey by which executors encrypt what they store; empty for not at all
/// @param resources what the application has brought
public record Application(
    String id,
    Settings settings,
    ApplicationClasses classes,
    boolean ownClassPath,
    Optional<byte[]> ioKey,
    Resources resources) {

  /// What the application has brought.
  public interface Resources {
    List<SharedResource> all();

    /// The file of a resource.
    ///
    /// @return empty if there is no such resource
    /// @throws IOException if it can't be packed
    Optional<Path> file(int id) throws IOException;
  }
}
