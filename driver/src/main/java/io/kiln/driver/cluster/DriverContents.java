package io.kiln.driver.cluster;

import io.kiln.api.KilnException;
import io.kiln.network.transport.Content;
import io.kiln.network.transport.ContentSource;
import io.kiln.network.transport.Peer;
import io.kiln.protocol.ContentRequest.FetchResource;
import io.kiln.protocol.ContentRequest.FetchStage;
import io.kiln.storage.LocalStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/// What executors fetch from the driver: stages, what the application has brought, and the
/// driver's blocks. Thread-safe.
record DriverContents(
    LargeStages largeStages, Application.Resources resources, Supplier<LocalStorage> storage)
    implements ContentSource {

  @Override
  public Content open(Peer from, Record request) throws Exception {
    return switch (request) {
      case FetchStage stage -> largeStages.open(stage);
      case FetchResource(int id) -> file(id);
      default -> storage.get().server().open(from, request);
    };
  }

  private Content file(int id) throws IOException {
    Path file =
        resources
            .file(id)
            .orElseThrow(
                () ->
                    new KilnException(
                        "NO_CONTENT",
                        KilnException.Kind.INTERNAL,
                        "the application brought no resource " + id));
    if (!Files.isReadable(file)) {
      throw new KilnException(
          "RESOURCE_VANISHED",
          KilnException.Kind.USER,
          file + " was there when the application was given it, and can't be read any more");
    }
    return Content.OfFiles.of(file, 0, Files.size(file));
  }
}
