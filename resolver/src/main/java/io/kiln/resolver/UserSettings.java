package io.kiln.resolver;

import io.kiln.launcher.Refusal;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.maven.settings.Mirror;
import org.apache.maven.settings.Profile;
import org.apache.maven.settings.Proxy;
import org.apache.maven.settings.Repository;
import org.apache.maven.settings.RepositoryPolicy;
import org.apache.maven.settings.Server;
import org.apache.maven.settings.Settings;
import org.apache.maven.settings.building.DefaultSettingsBuilderFactory;
import org.apache.maven.settings.building.DefaultSettingsBuildingRequest;
import org.apache.maven.settings.building.SettingsBuildingException;
import org.apache.maven.settings.building.SettingsProblem;
import org.apache.maven.settings.crypto.DefaultSettingsDecrypter;
import org.apache.maven.settings.crypto.DefaultSettingsDecryptionRequest;
import org.apache.maven.settings.crypto.SettingsDecryptionResult;
import org.eclipse.aether.RepositorySystemSession.SessionBuilder;
import org.eclipse.aether.repository.Authentication;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.util.repository.AuthenticationBuilder;
import org.eclipse.aether.util.repository.DefaultAuthenticationSelector;
import org.eclipse.aether.util.repository.DefaultMirrorSelector;
import org.eclipse.aether.util.repository.DefaultProxySelector;
import org.sonatype.plexus.components.cipher.DefaultPlexusCipher;
import org.sonatype.plexus.components.sec.dispatcher.DefaultSecDispatcher;

/// The user's settings for Maven: `.m2/settings.xml` in the home directory and, weaker, that of the
/// Maven that `MAVEN_HOME` names. Passwords may be encrypted, by `.m2/settings-security.xml`.
///
/// @param warnings a line each
record UserSettings(
    Settings settings, List<Server> servers, List<Proxy> proxies, List<String> warnings) {

  private static final String HOME = "user.home";

  /// @throws Refusal if a file can't be read
  static UserSettings read(Map<String, String> environment) {
    DefaultSettingsBuildingRequest request = new DefaultSettingsBuildingRequest();
    request.setUserSettingsFile(file("settings.xml"));
    String mavenHome =
        environment.getOrDefault("MAVEN_HOME", environment.getOrDefault("M2_HOME", ""));
    if (!mavenHome.isEmpty()) {
      request.setGlobalSettingsFile(new File(mavenHome, "conf/settings.xml"));
    }
    request.setSystemProperties(System.getProperties());
    environment.forEach((key, value) -> request.getSystemProperties().put("env." + key, value));
    List<String> warnings = new ArrayList<>();
    try {
      Settings settings =
          new DefaultSettingsBuilderFactory().newInstance().build(request).getEffectiveSettings();
      SettingsDecryptionResult decrypted = decrypt(settings);
      for (SettingsProblem problem : decrypted.getProblems()) {
        warnings.add(
            "Maven's settings hold a password that can't be decrypted: "
                + MissingPackages.line(problem.getMessage()));
      }
      return new UserSettings(
          settings, decrypted.getServers(), decrypted.getProxies(), List.copyOf(warnings));
    } catch (SettingsBuildingException e) {
      throw new Refusal("Maven's settings can't be read: " + MissingPackages.line(e.getMessage()));
    }
  }

  private static File file(String name) {
    return new File(System.getProperty(HOME), ".m2/" + name);
  }

  private static SettingsDecryptionResult decrypt(Settings settings) {
    DefaultSecDispatcher dispatcher = new DefaultSecDispatcher(new DefaultPlexusCipher());
    dispatcher.setConfigurationFile(file("settings-security.xml").toString());
    return new DefaultSettingsDecrypter(dispatcher)
        .decrypt(new DefaultSettingsDecryptionRequest(settings));
  }

  /// Where Maven keeps what it has fetched.
  Path localRepository() {
    String configured = System.getProperty("maven.repo.local", settings.getLocalRepository());
    return configured == null || configured.isBlank()
        ? file("repository").toPath()
        : Path.of(configured);
  }

  void apply(SessionBuilder session) {
    DefaultMirrorSelector mirrors = new DefaultMirrorSelector();
    for (Mirror mirror : settings.getMirrors()) {
      mirrors.add(
          mirror.getId(),
          mirror.getUrl(),
          mirror.getLayout(),
          false,
          mirror.isBlocked(),
          mirror.getMirrorOf(),
          mirror.getMirrorOfLayouts());
    }
    DefaultProxySelector selector = new DefaultProxySelector();
    for (Proxy proxy : proxies) {
      if (proxy.isActive()) {
        selector.add(proxy(proxy), proxy.getNonProxyHosts());
      }
    }
    DefaultAuthenticationSelector authentications = new DefaultAuthenticationSelector();
    for (Server server : servers) {
      authentications.add(server.getId(), authentication(server));
    }
    session
        .setMirrorSelector(mirrors)
        .setProxySelector(selector)
        .setAuthenticationSelector(authentications)
        .setOffline(settings.isOffline());
  }

  private static org.eclipse.aether.repository.Proxy proxy(Proxy proxy) {
    Authentication authentication =
        new AuthenticationBuilder()
            .addUsername(proxy.getUsername())
            .addPassword(proxy.getPassword())
            .build();
    return new org.eclipse.aether.repository.Proxy(
        proxy.getProtocol(), proxy.getHost(), proxy.getPort(), authentication);
  }

  private static Authentication authentication(Server server) {
    return new AuthenticationBuilder()
        .addUsername(server.getUsername())
        .addPassword(server.getPassword())
        .addPrivateKey(server.getPrivateKey(), server.getPassphrase())
        .build();
  }

  /// Those of the profiles that are active always or by name.
  List<RemoteRepository> repositories() {
    Set<String> active = new HashSet<>(settings.getActiveProfiles());
    List<RemoteRepository> repositories = new ArrayList<>();
    for (Profile profile : settings.getProfiles()) {
      if (active.contains(profile.getId())
          || (profile.getActivation() != null && profile.getActivation().isActiveByDefault())) {
        for (Repository repository : profile.getRepositories()) {
          repositories.add(repository(repository));
        }
      }
    }
    return repositories;
  }

  private static RemoteRepository repository(Repository repository) {
    return new RemoteRepository.Builder(repository.getId(), "default", repository.getUrl())
        .setReleasePolicy(policy(repository.getReleases()))
        .setSnapshotPolicy(policy(repository.getSnapshots()))
        .build();
  }

  private static org.eclipse.aether.repository.RepositoryPolicy policy(RepositoryPolicy policy) {
    return policy == null
        ? Repositories.POLICY
        : new org.eclipse.aether.repository.RepositoryPolicy(
            policy.isEnabled(),
            policy.getUpdatePolicy() == null ? Repositories.UPDATES : policy.getUpdatePolicy(),
            policy.getChecksumPolicy() == null
                ? Repositories.CHECKSUMS
                : policy.getChecksumPolicy());
  }
}
