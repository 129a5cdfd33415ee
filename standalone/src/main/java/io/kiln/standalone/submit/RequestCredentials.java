package io.kiln.standalone.submit;

import io.kiln.base.settings.Settings;
import io.kiln.base.settings.TlsSettings;
import io.kiln.http.RequestToken;
import io.kiln.http.SignedClaims;
import io.kiln.network.security.CertificateLoader;
import io.kiln.network.security.Certificates;
import io.kiln.node.SubmissionKey;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;

/// What a request over HTTP shows, and how it is kept from others on the way: a token for this
/// request alone, and TLS where there are certificates, whose names must be those that the master
/// is called by. Immutable.
///
/// @param signing empty: without a token
/// @param tls empty: everybody on the way can read what is sent
record RequestCredentials(Optional<SignedClaims> signing, Optional<Certificates> tls) {

  /// @param secret of the cluster, if it is known
  /// @throws io.kiln.api.KilnException `CERTIFICATES_UNUSABLE`, `SETTING_INVALID`
  static RequestCredentials of(Settings settings, Optional<byte[]> secret) {
    return new RequestCredentials(
        secret.or(() -> SubmissionKey.find(settings)).map(key -> new SignedClaims(key, "the key")),
        settings.get(TlsSettings.STANDALONE_ENABLED)
            ? Optional.of(CertificateLoader.ofClient(settings))
            : Optional.empty());
  }

  String scheme() {
    return tls.isPresent() ? "https" : "http";
  }

  /// @param address of the master, as it was named
  /// @param path of the request
  void show(HttpURLConnection connection, String address, String path, byte[] body) {
    if (connection instanceof HttpsURLConnection secured && tls.isPresent()) {
      secured.setSSLSocketFactory(tls.get().context().getSocketFactory());
    }
    if (signing.isPresent()) {
      RequestToken token =
          RequestToken.of(address, connection.getRequestMethod(), path, body, Instant.now());
      connection.setRequestProperty("Authorization", "Bearer " + token.sign(signing.get()));
    }
  }
}
