package io.kiln.submit;

import io.kiln.api.KilnException;
import io.kiln.base.resource.Downloads;
import io.kiln.base.resource.Downloads.Download;
import io.kiln.base.resource.Resource;
import io.kiln.launcher.Refusal;
import io.kiln.process.ProcessDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Brings the remote ones of an application's files here, all at once, into a temporary directory
/// that goes with the process. Used by one thread.
final class RemoteFiles {
  private final List<Download> wanted = new ArrayList<>();
  private Path directory;

  /// @return the same, on this machine: a remote one is there once [#fetch] has been called
  Resource here(Resource resource) {
    if (!resource.isRemote()) {
      return resource;
    }
    try {
      if (directory == null) {
        directory =
            ProcessDirectory.make(
                ProcessDirectory.in(Path.of(System.getProperty("java.io.tmpdir")), "fetched"));
        Runtime.getRuntime().addShutdownHook(new Thread(this::remove, "kiln-fetched"));
      }
      Path place = Files.createDirectory(directory.resolve(Integer.toString(wanted.size())));
      Path file = place.resolve(resource.fileName());
      wanted.add(new Download(resource.uri(), file));
      return new Resource(file.toString(), resource.alias());
    } catch (IOException e) {
      throw new Refusal("No temporary directory can be made for what is fetched: " + e);
    } catch (KilnException e) {
      throw new Refusal(e.getMessage());
    }
  }

  List<Resource> here(List<Resource> resources) {
    List<Resource> local = new ArrayList<>();
    for (Resource resource : resources) {
      local.add(here(resource));
    }
    return local;
  }

  /// @param patience how long a server may say nothing
  /// @throws Refusal if one can't be had
  void fetch(Duration patience) {
    if (wanted.isEmpty()) {
      return;
    }
    try (TransferLine line = new TransferLine("Fetching files")) {
      Downloads.fetch(wanted, patience, line);
    } catch (KilnException e) {
      throw new Refusal(e.getMessage());
    }
  }

  boolean isEmpty() {
    return wanted.isEmpty();
  }

  private void remove() {
    try {
      ProcessDirectory.remove(directory);
    } catch (IOException e) {
      System.err.println("Warning: " + directory + " could not be removed: " + e);
    }
  }
}
