package io.kiln.daemon.web;

import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.TlsSettings;
import io.kiln.http.HostNames;
import io.kiln.http.HttpServer;
import io.kiln.network.security.CertificateLoader;
import io.kiln.network.security.Certificates;
import io.kiln.network.transport.ListenPort;
import java.util.List;
import java.util.Optional;

/// Where a daemon's servers of HTTP listen, and as whom, by its settings.
public final class HttpSites {

  private HttpSites() {}

  /// @param hosts by which the server is known; it listens on the first
  /// @param hostSetting by which another is chosen
  /// @param purpose for people, after `can't`
  /// @throws io.kiln.api.KilnException `CERTIFICATES_UNUSABLE`, `SETTING_INVALID`
  public static HttpServer.Site of(
      Settings settings, List<String> hosts, ListenPort port, String hostSetting, String purpose) {
    Optional<Certificates> certificates =
        settings.get(TlsSettings.STANDALONE_ENABLED)
            ? Optional.of(CertificateLoader.ofServer(settings))
            : Optional.empty();
    HostNames names = new HostNames(hosts, settings.get(NetworkSettings.HTTP_HOSTS));
    return new HttpServer.Site(hosts.getFirst(), port, hostSetting, purpose, names, certificates);
  }
}
