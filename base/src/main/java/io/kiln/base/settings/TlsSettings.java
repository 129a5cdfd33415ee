package io.kiln.base.settings;

import java.util.ArrayList;
import java.util.List;

/// Certificates of the user's own. Each setting of connections between processes,
/// `spark.ssl.rpc.…`, has the value of `spark.ssl.…` where it isn't set itself, but for `enabled`.
/// Each of HTTP with masters and workers, `spark.ssl.standalone.…`, has it with `enabled`.
public final class TlsSettings {
  private static final String GENERAL = "spark.ssl.";
  private static final String RPC = GENERAL + "rpc.";
  private static final String STANDALONE = GENERAL + "standalone.";

  public static final Setting<Boolean> ENABLED =
      Setting.of(
          GENERAL + "enabled",
          SettingType.FLAG,
          "false",
          "Whether what others than Kiln's processes connect to uses the certificates below. Says"
              + " nothing of connections between processes: see `spark.ssl.rpc.enabled`.");

  public static final Setting<Boolean> STANDALONE_ENABLED =
      Setting.of(
              STANDALONE + "enabled",
              SettingType.FLAG,
              "false",
              "As `spark.ssl.enabled`, for HTTP with masters and workers alone. Unset: that one's"
                  + " value.")
          .inheriting(ENABLED);

  public static final Setting<Boolean> RPC_ENABLED =
      Setting.of(
          RPC + "enabled",
          SettingType.FLAG,
          "false",
          "Whether connections between processes use the certificates below, in place of ones that"
              + " each process makes itself. Not inherited from `spark.ssl.enabled`. They are"
              + " encrypted then, whatever `spark.network.crypto.enabled` and `spark.authenticate`"
              + " say.");

  public static final Setting<String> KEY_STORE =
      text("keyStore", "The file with a process's key and certificate.");

  public static final Setting<String> KEY_STORE_PASSWORD =
      text("keyStorePassword", "The password of `spark.ssl.keyStore`.");

  public static final Setting<String> KEY_STORE_TYPE =
      text(
          "keyStoreType",
          "The type of `spark.ssl.keyStore`, such as PKCS12. Unset: JKS or PKCS12.");

  public static final Setting<String> KEY_PASSWORD =
      text(
          "keyPassword",
          "The password of the key in `spark.ssl.keyStore`. Unset: the store's own.");

  public static final Setting<String> PRIVATE_KEY =
      text(
          "privateKey",
          "A PEM file with a process's key, in PKCS #8. Not used where there is a"
              + " `spark.ssl.keyStore`.");

  public static final Setting<String> PRIVATE_KEY_PASSWORD =
      text("privateKeyPassword", "The password of `spark.ssl.privateKey`, if it is encrypted.");

  public static final Setting<String> CERTIFICATE_CHAIN =
      text(
          "certChain",
          "A PEM file with the certificate of `spark.ssl.privateKey`, and those of its issuers.");

  public static final Setting<String> TRUST_STORE =
      text("trustStore", "The file with the certificates by which those of others are verified.");

  public static final Setting<String> TRUST_STORE_PASSWORD =
      text("trustStorePassword", "The password of `spark.ssl.trustStore`.");

  public static final Setting<String> TRUST_STORE_TYPE =
      text(
          "trustStoreType",
          "The type of `spark.ssl.trustStore`, such as PKCS12, or PEM for a file of certificates."
              + " Unset: JKS or PKCS12.");

  public static final Setting<String> PROTOCOL =
      named(
          "protocol",
          SettingType.choice("TLSv1.3", "TLSv1.2", "TLSv1.3=TLS"),
          "The version of TLS. Unset: TLSv1.3.");

  public static final Setting<List<String>> ALGORITHMS =
      named(
          "enabledAlgorithms",
          SettingType.LIST,
          "The cipher suites that may be used, as Java names them. Unset: those that this JVM takes"
              + " by itself.");

  public static final Setting<Boolean> NEED_CLIENT_AUTH =
      named(
          "needClientAuth",
          SettingType.FLAG,
          "Whether the side that connects has to show a certificate too, which is verified. Unset:"
              + " false.");

  static final SettingGroup GROUP = new SettingGroup("Own certificates", all());

  private TlsSettings() {}

  private static Setting<String> text(String name, String documentation) {
    return named(name, SettingType.TEXT, documentation);
  }

  private static <T> Setting<T> named(String name, SettingType<T> type, String documentation) {
    Setting<T> general = Setting.optional(GENERAL + name, type, documentation);
    return Setting.optional(
            RPC + name,
            type,
            "As `"
                + general.key()
                + "`, for connections between processes alone. Unset: that one's value.")
        .inheriting(general);
  }

  /// The same setting for HTTP with masters and workers, in place of connections between processes.
  ///
  /// @param ofProcesses one of those above, but for `enabled`
  public static <T> Setting<T> standalone(Setting<T> ofProcesses) {
    Setting<T> general = ofProcesses.general().orElseThrow();
    return Setting.optional(
            STANDALONE + ofProcesses.key().substring(RPC.length()),
            ofProcesses.type(),
            "As `"
                + general.key()
                + "`, for HTTP with masters and workers alone. Unset: that one's value.")
        .inheriting(general);
  }

  /// Whose values nobody may read on the way or afterwards.
  public static List<Setting<String>> passwords() {
    return List.of(KEY_STORE_PASSWORD, KEY_PASSWORD, PRIVATE_KEY_PASSWORD, TRUST_STORE_PASSWORD);
  }

  /// What is needed to connect, but for the passwords.
  public static List<Setting<?>> open() {
    return List.of(
        RPC_ENABLED,
        KEY_STORE,
        KEY_STORE_TYPE,
        PRIVATE_KEY,
        CERTIFICATE_CHAIN,
        TRUST_STORE,
        TRUST_STORE_TYPE,
        PROTOCOL,
        ALGORITHMS,
        NEED_CLIENT_AUTH);
  }

  private static List<Setting<?>> all() {
    List<Setting<?>> own = new ArrayList<>(open());
    own.addAll(passwords());
    List<Setting<?>> all = new ArrayList<>();
    all.add(ENABLED);
    for (Setting<?> setting : own) {
      setting.general().ifPresent(all::add);
    }
    all.addAll(own);
    all.add(STANDALONE_ENABLED);
    for (Setting<?> setting : own) {
      if (setting != RPC_ENABLED) {
        all.add(standalone(setting));
      }
    }
    return all;
  }
}
