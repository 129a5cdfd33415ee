package io.kiln.network.security;

import io.kiln.api.KilnException;
import io.kiln.base.settings.Setting;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.TlsSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// Reads [Certificates] as `spark.ssl.rpc.…` says, or for HTTP as `spark.ssl.standalone.…` does,
/// and looks them over: what would fail when the first two processes meet fails here, in one line
/// that names the file and the key.
///
/// The passwords may be in the settings, or among the secrets that the process was started with,
/// which is how they reach executors.
public final class CertificateLoader {
  /// The name of each password among the secrets of a process.
  public static final Map<Setting<String>, String> PASSWORD_NAMES =
      Map.of(
          TlsSettings.KEY_STORE_PASSWORD, "_SPARK_SSL_RPC_KEY_STORE_PASSWORD",
          TlsSettings.KEY_PASSWORD, "_SPARK_SSL_RPC_KEY_PASSWORD",
          TlsSettings.PRIVATE_KEY_PASSWORD, "_SPARK_SSL_RPC_PRIVATE_KEY_PASSWORD",
          TlsSettings.TRUST_STORE_PASSWORD, "_SPARK_SSL_RPC_TRUST_STORE_PASSWORD");

  private static final String USUAL_PROTOCOL = "TLSv1.3";

  private final Settings settings;
  private final Function<String, Optional<String>> secrets;
  private final boolean http;

  private CertificateLoader(
      Settings settings, Function<String, Optional<String>> secrets, boolean http) {
    this.settings = settings;
    this.secrets = secrets;
    this.http = http;
  }

  /// @param secrets of this process, by their names
  /// @throws KilnException `CERTIFICATES_UNUSABLE`, `SETTING_INVALID`
  public static Certificates load(Settings settings, Function<String, Optional<String>> secrets) {
    return new CertificateLoader(settings, secrets, false).load();
  }

  /// For a server of HTTP, by `spark.ssl.standalone.…`: its clients are verified with
  /// `needClientAuth` only, and otherwise no trust store is needed.
  ///
  /// @throws KilnException `CERTIFICATES_UNUSABLE`, `SETTING_INVALID`
  public static Certificates ofServer(Settings settings) {
    CertificateLoader loader = new CertificateLoader(settings, _ -> Optional.empty(), true);
    boolean mutual = loader.find(TlsSettings.NEED_CLIENT_AUTH).orElse(false);
    return loader.certificates(
        Optional.of(loader.own()), mutual ? Optional.of(loader.others()) : Optional.empty());
  }

  /// For a client of such a server. It shows a certificate if it has one, and believes whom this
  /// JVM believes if it has no trust store.
  ///
  /// @throws KilnException `CERTIFICATES_UNUSABLE`, `SETTING_INVALID`
  public static Certificates ofClient(Settings settings) {
    CertificateLoader loader = new CertificateLoader(settings, _ -> Optional.empty(), true);
    boolean key = loader.isSet(TlsSettings.KEY_STORE) || loader.isSet(TlsSettings.PRIVATE_KEY);
    return loader.certificates(
        key ? Optional.of(loader.own()) : Optional.empty(),
        loader.isSet(TlsSettings.TRUST_STORE) ? Optional.of(loader.others()) : Optional.empty());
  }

  private Certificates load() {
    Identity own = own();
    X509ExtendedTrustManager others = others();
    boolean mutual = find(TlsSettings.NEED_CLIENT_AUTH).orElse(false);
    requireKnown(own, others, mutual);
    return certificates(Optional.of(own), Optional.of(others));
  }

  private Certificates certificates(
      Optional<Identity> own, Optional<X509ExtendedTrustManager> others) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          own.map(key -> new KeyManager[] {new OneKey(key.key(), key.chain())}).orElse(null),
          others.map(trust -> new TrustManager[] {trust}).orElse(null),
          new SecureRandom());
      String protocol = find(TlsSettings.PROTOCOL).orElse(USUAL_PROTOCOL);
      boolean mutual = find(TlsSettings.NEED_CLIENT_AUTH).orElse(false);
      return new Certificates(context, protocol, cipherSuites(context, protocol), mutual);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no TLS", e);
    }
  }

  // ---- the process's own key ------------------------------------------------------------------

  private Identity own() {
    Optional<String> store = find(TlsSettings.KEY_STORE);
    Setting<String> source = store.isPresent() ? TlsSettings.KEY_STORE : TlsSettings.PRIVATE_KEY;
    Identity identity = store.isPresent() ? ofStore() : ofPemFiles();
    try {
      identity.certificate().checkValidity();
    } catch (CertificateException e) {
      throw unusable(
          source,
          "its certificate of "
              + identity.name()
              + (e instanceof CertificateExpiredException
                  ? " expired on " + identity.end()
                  : " is not valid before " + identity.certificate().getNotBefore().toInstant()),
          "renew it",
          e);
    }
    if (!identity.isOneKey()) {
      throw unusable(
          source,
          "its key is not that of the certificate of " + identity.name(),
          "give the two that belong together",
          null);
    }
    return identity;
  }

  private Identity ofStore() {
    StoreFile store =
        new StoreFile(
            file(TlsSettings.KEY_STORE),
            find(TlsSettings.KEY_STORE_TYPE),
            password(TlsSettings.KEY_STORE_PASSWORD));
    try {
      return store.identity(password(TlsSettings.KEY_PASSWORD));
    } catch (StoreFile.Unusable e) {
      throw unusable(
          TlsSettings.KEY_STORE, e, TlsSettings.KEY_STORE_TYPE, TlsSettings.KEY_STORE_PASSWORD);
    }
  }

  private Identity ofPemFiles() {
    boolean key = isSet(TlsSettings.PRIVATE_KEY);
    boolean chain = isSet(TlsSettings.CERTIFICATE_CHAIN);
    if (key != chain) {
      Setting<String> given = key ? TlsSettings.PRIVATE_KEY : TlsSettings.CERTIFICATE_CHAIN;
      Setting<String> missing = key ? TlsSettings.CERTIFICATE_CHAIN : TlsSettings.PRIVATE_KEY;
      throw unusable(
          given,
          "there is no " + keyOf(missing) + " with it",
          "a key goes with a certificate",
          null);
    }
    if (!key) {
      throw missing(
          "there is no key; set spark.ssl.keyStore, or spark.ssl.privateKey and"
              + " spark.ssl.certChain");
    }
    List<X509Certificate> certificates = certificates(TlsSettings.CERTIFICATE_CHAIN);
    return new Identity(privateKey(), certificates);
  }

  private PrivateKey privateKey() {
    try {
      return PemFile.key(file(TlsSettings.PRIVATE_KEY), password(TlsSettings.PRIVATE_KEY_PASSWORD));
    } catch (IOException | GeneralSecurityException e) {
      throw unusable(
          TlsSettings.PRIVATE_KEY,
          StoreFile.line(e),
          "look at it, and at " + keyOf(TlsSettings.PRIVATE_KEY_PASSWORD),
          e);
    }
  }

  private List<X509Certificate> certificates(Setting<String> setting) {
    try {
      return PemFile.certificates(file(setting));
    } catch (IOException | GeneralSecurityException e) {
      throw unusable(setting, StoreFile.line(e), "name a PEM file with certificates", e);
    }
  }

  // ---- whom it believes -----------------------------------------------------------------------

  private X509ExtendedTrustManager others() {
    if (!isSet(TlsSettings.TRUST_STORE)) {
      throw missing(
          "nobody's certificate could be verified; set spark.ssl.trustStore to a file with those"
              + " that are believed");
    }
    Optional<String> type = find(TlsSettings.TRUST_STORE_TYPE);
    StoreFile store =
        new StoreFile(
            file(TlsSettings.TRUST_STORE), type, password(TlsSettings.TRUST_STORE_PASSWORD));
    try {
      return type.isPresent() && type.get().equalsIgnoreCase("PEM")
          ? StoreFile.trusting(certificates(TlsSettings.TRUST_STORE))
          : store.trust();
    } catch (StoreFile.Unusable e) {
      throw unusable(
          TlsSettings.TRUST_STORE,
          e,
          TlsSettings.TRUST_STORE_TYPE,
          TlsSettings.TRUST_STORE_PASSWORD);
    }
  }

  /// All processes of an application have one trust store, so who is not known to his own is known
  /// to none.
  private void requireKnown(Identity own, X509ExtendedTrustManager others, boolean mutual) {
    X509Certificate[] chain = own.chain().toArray(new X509Certificate[0]);
    try {
      others.checkServerTrusted(chain, "UNKNOWN");
      if (mutual) {
        others.checkClientTrusted(chain, "UNKNOWN");
      }
    } catch (CertificateException e) {
      throw unusable(
          TlsSettings.TRUST_STORE,
          "by it, this process's own certificate of "
              + own.name()
              + " is not to be believed ("
              + StoreFile.line(e)
              + ")",
          "put that certificate, or its issuer's, into it",
          e);
    }
  }

  // ---- the rest -------------------------------------------------------------------------------

  private Optional<List<String>> cipherSuites(SSLContext context, String protocol) {
    Optional<List<String>> given = find(TlsSettings.ALGORITHMS);
    if (given.isEmpty()) {
      return given;
    }
    Set<String> known = Set.of(context.getSupportedSSLParameters().getCipherSuites());
    boolean some = false;
    for (String suite : given.get()) {
      if (!known.contains(suite)) {
        throw unusable(
            TlsSettings.ALGORITHMS,
            "this JVM knows no cipher suite " + suite,
            "one that it knows is TLS_AES_256_GCM_SHA384",
            null);
      }
      some |= isNew(suite) == protocol.equals(USUAL_PROTOCOL);
    }
    if (!some) {
      throw unusable(
          TlsSettings.ALGORITHMS,
          "none of them works with " + protocol,
          "add one that does, or change " + keyOf(TlsSettings.PROTOCOL),
          null);
    }
    return given;
  }

  /// Since TLS 1.3, the name of a cipher suite says nothing of keys.
  private static boolean isNew(String suite) {
    return !suite.contains("_WITH_");
  }

  /// The setting of what is read here, in place of that for connections between processes.
  private <T> Setting<T> of(Setting<T> setting) {
    return http ? TlsSettings.standalone(setting) : setting;
  }

  private <T> Optional<T> find(Setting<T> setting) {
    return settings.find(of(setting));
  }

  private boolean isSet(Setting<?> setting) {
    return settings.isSet(of(setting));
  }

  private String keyOf(Setting<?> setting) {
    return settings.keyOf(of(setting));
  }

  private Path file(Setting<String> setting) {
    return Path.of(find(setting).orElseThrow());
  }

  private Optional<String> password(Setting<String> setting) {
    Optional<String> set = find(setting);
    return set.isPresent() ? set : secrets.apply(PASSWORD_NAMES.get(setting));
  }

  private KilnException missing(String what) {
    return new KilnException(
        "CERTIFICATES_UNUSABLE",
        KilnException.Kind.USER,
        settings.keyOf(http ? TlsSettings.STANDALONE_ENABLED : TlsSettings.RPC_ENABLED)
            + "=true can't be followed: "
            + what);
  }

  private KilnException unusable(
      Setting<String> setting,
      StoreFile.Unusable why,
      Setting<String> type,
      Setting<String> password) {
    return unusable(
        setting,
        why.getMessage(),
        switch (why.fault()) {
          case FILE -> "name a file that this process can read";
          case TYPE -> "check " + keyOf(type);
          case PASSWORD -> "check " + keyOf(password);
          case KEY_PASSWORD -> "check " + keyOf(TlsSettings.KEY_PASSWORD);
          case CONTENT -> "look into it by keytool -list";
        },
        why.getCause());
  }

  private KilnException unusable(Setting<?> setting, String why, String what, Throwable cause) {
    String key = keyOf(setting);
    return new KilnException(
        "CERTIFICATES_UNUSABLE",
        KilnException.Kind.USER,
        key + "=" + settings.texts().get(key) + " can't be used: " + why + "; " + what,
        cause);
  }

  /// A key, its certificate, and those of its issuers.
  record Identity(PrivateKey key, List<X509Certificate> chain) {
    X509Certificate certificate() {
      return chain.getFirst();
    }

    Instant end() {
      return certificate().getNotAfter().toInstant();
    }

    String name() {
      return certificate().getSubjectX500Principal().getName();
    }

    /// Whether the certificate is the key's.
    boolean isOneKey() {
      byte[] something = {1};
      try {
        Signature signing = Signature.getInstance(algorithm());
        signing.initSign(key);
        signing.update(something);
        Signature verifying = Signature.getInstance(algorithm());
        verifying.initVerify(certificate().getPublicKey());
        verifying.update(something);
        return verifying.verify(signing.sign());
      } catch (GeneralSecurityException e) {
        return false;
      }
    }

    private String algorithm() {
      return switch (key.getAlgorithm()) {
        case "RSA" -> "SHA256withRSA";
        case "EC" -> "SHA256withECDSA";
        case "DSA" -> "SHA256withDSA";
        default -> key.getAlgorithm();
      };
    }
  }
}
