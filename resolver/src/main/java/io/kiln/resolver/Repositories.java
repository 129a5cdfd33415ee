package io.kiln.resolver;

import io.kiln.launcher.Refusal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.repository.RepositoryPolicy;

/// The remote repositories to look in, in order: those the user gives, those of the user's settings
/// for Maven, Maven Central.
final class Repositories {
  /// What holds where nothing is said.
  static final String UPDATES = RepositoryPolicy.UPDATE_POLICY_DAILY;

  /// Wrong checksums make a fetch fail; see [StrictSupplier] for none.
  static final String CHECKSUMS = RepositoryPolicy.CHECKSUM_POLICY_FAIL;

  static final RepositoryPolicy POLICY = new RepositoryPolicy(true, UPDATES, CHECKSUMS);

  private static final String CENTRAL = "central";
  private static final String CENTRAL_URL = "https://repo.maven.apache.org/maven2";
  private static final RepositoryPolicy NOTHING = new RepositoryPolicy(false, UPDATES, CHECKSUMS);

  private Repositories() {}

  /// @param given `URL` or `ID::URL`
  /// @param culprit the option or setting to blame
  /// @throws Refusal if one is malformed
  static List<RemoteRepository> of(List<String> given, UserSettings settings, String culprit) {
    List<RemoteRepository> known = settings.repositories();
    List<RemoteRepository> repositories = new ArrayList<>();
    for (String text : given) {
      int separator = text.indexOf("::");
      String url = checked(separator < 0 ? text : text.substring(separator + 2), culprit);
      String id = separator > 0 ? text.substring(0, separator) : id(url, repositories, known);
      repositories.add(new RemoteRepository.Builder(id, "default", url).setPolicy(POLICY).build());
    }
    for (RemoteRepository repository : known) {
      if (repositories.stream().noneMatch(other -> other.getId().equals(repository.getId()))) {
        repositories.add(repository);
      }
    }
    if (repositories.stream().noneMatch(other -> other.getId().equals(CENTRAL))) {
      repositories.add(
          new RemoteRepository.Builder(CENTRAL, "default", CENTRAL_URL)
              .setReleasePolicy(POLICY)
              .setSnapshotPolicy(NOTHING)
              .build());
    }
    return repositories;
  }

  /// The id that the settings give to this place, by which mirrors and credentials are found.
  private static String id(
      String url, List<RemoteRepository> before, List<RemoteRepository> known) {
    for (RemoteRepository repository : known) {
      if (withoutSlash(repository.getUrl()).equals(withoutSlash(url))) {
        return repository.getId();
      }
    }
    return "repo-" + (before.size() + 1);
  }

  private static String withoutSlash(String url) {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  private static String checked(String url, String culprit) {
    try {
      URI uri = new URI(url);
      if (uri.getRawUserInfo() != null) {
        throw new Refusal(
            culprit
                + " has a password in a URL, which others could read: put it into Maven's"
                + " settings.xml as a server with an id, and write ID::URL");
      }
      String scheme = uri.getScheme();
      if (scheme != null && List.of("http", "https", "file").contains(scheme)) {
        return url;
      }
    } catch (URISyntaxException e) {
      // told below
    }
    throw new Refusal(
        culprit
            + " names '"
            + url
            + "', which is no repository: use an http:, https: or file: URL, or ID::URL");
  }

  /// For people.
  static String shown(RemoteRepository repository) {
    return repository.getId() + " (" + repository.getUrl() + ")";
  }
}
