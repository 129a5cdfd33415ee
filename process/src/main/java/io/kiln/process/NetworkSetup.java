package io.kiln.process;

import io.kiln.api.KilnException;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.TlsSettings;
import io.kiln.network.security.CertificateLoader;
import io.kiln.network.security.Credentials;
import io.kiln.network.security.Protection;
import io.kiln.network.transport.Peer;
import io.kiln.network.transport.TransportOptions;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the settings of a process's transport.
public final class NetworkSetup {
  private static final Logger LOG = LoggerFactory.getLogger(NetworkSetup.class);
  private static final int DEFAULT_IO_THREADS = 2;
  private static final int MAX_MESSAGE_BYTES = 2047 << 20;

  private NetworkSetup() {}

  /// Warns of settings that let strangers in.
  ///
  /// @param credentials without, certificates of the user's own are the only protection, if there
  /// are any
  /// @throws KilnException `SETTING_INVALID`, `CERTIFICATES_UNUSABLE`
  public static TransportOptions options(
      Settings settings, Peer self, Optional<Credentials> credentials) {
    TransportOptions usual = TransportOptions.of(self, protection(settings, credentials));
    long messageBytes = settings.get(NetworkSettings.MESSAGE_MAX_SIZE);
    if (messageBytes < 1 || messageBytes > MAX_MESSAGE_BYTES) {
      throw new KilnException(
          "SETTING_INVALID",
          KilnException.Kind.USER,
          NetworkSettings.MESSAGE_MAX_SIZE.key()
              + " is "
              + messageBytes
              + " bytes; it must be at most 2047 MiB");
    }
    return new TransportOptions(
        self,
        usual.protection(),
        settings.find(NetworkSettings.IO_THREADS).orElse(DEFAULT_IO_THREADS),
        usual.connectTimeout(),
        settings.get(NetworkSettings.TIMEOUT),
        (int) messageBytes,
        Math.max(usual.maxWaitingBytes(), 2 * messageBytes));
  }

  private static Protection protection(Settings settings, Optional<Credentials> credentials) {
    if (settings.get(TlsSettings.RPC_ENABLED)) {
      return new Protection.Certified(
          CertificateLoader.load(settings, ProcessSecrets::find), credentials);
    }
    if (settings.get(TlsSettings.ENABLED) && !settings.isSet(TlsSettings.RPC_ENABLED)) {
      LOG.warn(
          "{}=true says nothing of connections between processes, where each makes a certificate of"
              + " its own; to use yours there too, set {}=true",
          TlsSettings.ENABLED.key(),
          TlsSettings.RPC_ENABLED.key());
    }
    if (credentials.isEmpty()) {
      LOG.warn(
          "{}=false: whoever reaches a port of this process is believed, and what is said can be"
              + " read on the way",
          NetworkSettings.AUTHENTICATE.key());
      return new Protection.None();
    }
    if (settings.get(NetworkSettings.CRYPTO_ENABLED)) {
      return new Protection.Encrypted(credentials.get());
    }
    LOG.warn(
        "{}=false: who sits between this process and another can read what they say, and speak in"
            + " its place",
        NetworkSettings.CRYPTO_ENABLED.key());
    return new Protection.Proven(credentials.get());
  }

  /// How long to wait for an answer.
  public static Duration askTimeout(Settings settings) {
    return settings
        .find(NetworkSettings.ASK_TIMEOUT)
        .orElseGet(() -> settings.get(NetworkSettings.TIMEOUT));
  }
}
