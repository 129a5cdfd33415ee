package io.kiln.submit;

import io.kiln.api.KilnException;
import io.kiln.base.resource.Resource;
import io.kiln.base.settings.DependencySettings;
import io.kiln.base.settings.Setting;
import io.kiln.launcher.Refusal;
import io.kiln.launcher.SubmitSettings;
import io.kiln.submit.packages.PackageRequest;
import io.kiln.submit.packages.PackageResolvers;
import io.kiln.submit.packages.ResolvedPackages;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Gathers what the application brings along, on this machine: its jar, those of `--jars` and
/// `--packages`, its files and its archives. The settings then say where each is.
///
/// Whatever manager runs the application, this is the same; a cluster's executors get from the
/// driver what the settings name.
///
/// @param jars the application's own first, if it has one
/// @param warnings a line each
/// @param notes a line each, for those who ask for more
record Dependencies(List<Path> jars, List<String> warnings, List<String> notes) {

  private static final String JARS = "spark.jars";
  private static final String FILES = "spark.files";
  private static final String ARCHIVES = "spark.archives";
  private static final String PACKAGES = "spark.jars.packages";
  private static final String EXCLUDES = "spark.jars.excludes";
  private static final String REPOSITORIES = "spark.jars.repositories";

  /// @param application the application's own jar; none for a shell
  /// @throws Refusal if something isn't there
  static Dependencies gather(List<Resource> application, SubmitSettings settings) {
    RemoteFiles remote = new RemoteFiles();
    List<Resource> allJars = new ArrayList<>(application);
    allJars.addAll(listed(settings, JARS));
    List<Path> jars = new ArrayList<>();
    for (Resource jar : remote.here(allJars)) {
      jars.add(jar.path());
    }
    List<Resource> files = remote.here(listed(settings, FILES));
    List<Resource> archives = remote.here(listed(settings, ARCHIVES));
    if (!remote.isEmpty()) {
      remote.fetch(patience(settings));
    }
    ResolvedPackages packages = packages(settings);
    jars.addAll(packages.jars());

    settings.setDefault(JARS, "");
    settings.refine(JARS, uris(jars));
    refine(settings, FILES, files);
    refine(settings, ARCHIVES, archives);
    return new Dependencies(jars, packages.warnings(), packages.notes());
  }

  private static List<Resource> listed(SubmitSettings settings, String key) {
    return ListedFiles.find(settings.value(key, ""), settings.culprit(key));
  }

  private static Duration patience(SubmitSettings settings) {
    Setting<Duration> timeout = DependencySettings.FETCH_TIMEOUT;
    try {
      return timeout.parse(settings.value(timeout.key(), timeout.defaultText().orElseThrow()));
    } catch (KilnException e) {
      throw new Refusal(e.getMessage());
    }
  }

  private static ResolvedPackages packages(SubmitSettings settings) {
    if (settings.value(PACKAGES, "").isBlank()) {
      return new ResolvedPackages(List.of(), List.of(), List.of());
    }
    PackageRequest request =
        new PackageRequest(
            coordinates(DependencySettings.PACKAGES.parse(settings.value(PACKAGES))),
            DependencySettings.EXCLUDES.parse(settings.value(EXCLUDES, "")),
            DependencySettings.REPOSITORIES.parse(settings.value(REPOSITORIES, "")),
            settings.value(DependencySettings.PACKAGE_DIRECTORY.key(), ""),
            ApplicationLoader.isOwnWanted(settings),
            new PackageRequest.Culprits(
                settings.culprit(PACKAGES),
                settings.culprit(EXCLUDES),
                settings.culprit(REPOSITORIES)));
    try (TransferLine line = new TransferLine("Fetching packages")) {
      return PackageResolvers.resolve(request, line);
    }
  }

  /// A range of versions, as `[1.2,1.3)`, has a comma of its own.
  private static List<String> coordinates(List<String> parts) {
    List<String> whole = new ArrayList<>();
    String begun = "";
    for (String part : parts) {
      String text = begun + part;
      boolean inRange =
          Math.max(text.lastIndexOf('['), text.lastIndexOf('('))
              > Math.max(text.lastIndexOf(']'), text.lastIndexOf(')'));
      if (inRange) {
        begun = text + ",";
      } else {
        whole.add(text);
        begun = "";
      }
    }
    if (!begun.isEmpty()) {
      whole.add(begun.substring(0, begun.length() - 1)); // what is wrong with it will be said
    }
    return whole;
  }

  private static void refine(SubmitSettings settings, String key, List<Resource> resources) {
    if (settings.value(key) == null) {
      return;
    }
    StringBuilder uris = new StringBuilder();
    for (Resource resource : resources) {
      uris.append(uris.isEmpty() ? "" : ",").append(uri(resource.path()));
      if (!resource.alias().isEmpty()) {
        uris.append('#').append(resource.alias());
      }
    }
    settings.refine(key, uris.toString());
  }

  private static String uris(List<Path> paths) {
    StringBuilder uris = new StringBuilder();
    for (Path path : paths) {
      uris.append(uris.isEmpty() ? "" : ",").append(uri(path));
    }
    return uris.toString();
  }

  /// A comma would end it in a list.
  private static String uri(Path path) {
    URI uri = path.toAbsolutePath().toUri();
    return uri.toString().replace(",", "%2C");
  }
}
