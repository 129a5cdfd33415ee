package io.kiln.base.settings;

import java.time.Duration;
import java.util.List;

/// How processes find, believe and wait for each other.
public final class NetworkSettings {
  public static final Setting<Boolean> AUTHENTICATE =
      Setting.of(
          "spark.authenticate",
          SettingType.FLAG,
          "true",
          "Whether processes prove to each other that they know the application's secret, and"
              + " encrypt what they say. `false`: whoever reaches a port is believed, and nothing"
              + " is encrypted.");

  public static final Setting<Boolean> CRYPTO_ENABLED =
      Setting.of(
          "spark.network.crypto.enabled",
          SettingType.FLAG,
          "true",
          "Whether processes that authenticate each other encrypt what they say, by TLS 1.3."
              + " `false`: they prove the secret when they meet, and no more; who sits between them"
              + " can read everything and take connections over.");

  public static final Setting<String> SECRET =
      Setting.optional(
          "spark.authenticate.secret",
          SettingType.TEXT,
          "The secret. Unset: each application makes one of its own, which is best.");

  public static final Setting<String> SECRET_FILE =
      Setting.optional(
          "spark.authenticate.secret.file",
          SettingType.TEXT,
          "A file that holds the secret. Others than its owner must not be able to read it.");

  public static final Setting<Integer> SECRET_BITS =
      Setting.of(
          "spark.authenticate.secretBitLength",
          SettingType.count(128),
          "256",
          "How many random bits a secret has that the application makes itself.");

  public static final Setting<String> DRIVER_HOST =
      Setting.optional(
          "spark.driver.host",
          SettingType.TEXT,
          "By which executors reach the driver. Unset: `localhost` where all executors are on its"
              + " machine.");

  public static final Setting<String> DRIVER_BIND_ADDRESS =
      Setting.optional(
          "spark.driver.bindAddress",
          SettingType.TEXT,
          "The address on which the driver listens, such as `0.0.0.0`. Unset:"
              + " `spark.driver.host`.");

  public static final Setting<Integer> DRIVER_PORT =
      Setting.of(
          "spark.driver.port",
          SettingType.count(0, 65_535),
          "0",
          "The port on which the driver listens. `0`: any.");

  public static final Setting<Integer> BLOCK_MANAGER_PORT =
      Setting.of(
          "spark.blockManager.port",
          SettingType.count(0, 65_535),
          "0",
          "The port on which an executor serves blocks and map outputs. `0`: any.");

  public static final Setting<Integer> PORT_MAX_RETRIES =
      Setting.of(
          "spark.port.maxRetries",
          SettingType.count(0),
          "16",
          "How many ports are tried after one that is taken, each the next: by a server whose port"
              + " nobody has set, and by executors for `spark.blockManager.port`. Set: by those"
              + " whose port somebody has set too.");

  public static final Setting<List<String>> HTTP_HOSTS =
      Setting.of(
          "spark.kiln.http.hosts",
          SettingType.LIST,
          "",
          "More names by which this host's pages and gateways are asked for over HTTP, such as an"
              + " alias or that of a proxy, as `name` or `name:port`; `*`: any. A request for"
              + " another name is refused, so that no web page can ask in a browser's stead.");

  public static final Setting<Duration> TIMEOUT =
      Setting.of(
          "spark.network.timeout",
          SettingType.time(Durations.Unit.SECONDS),
          "120s",
          "How long a process may be silent until it is given up.");

  public static final Setting<Duration> ASK_TIMEOUT =
      Setting.optional(
          "spark.rpc.askTimeout",
          SettingType.time(Durations.Unit.SECONDS),
          "How long an answer may take. Unset: `spark.network.timeout`.");

  public static final Setting<Long> MESSAGE_MAX_SIZE =
      Setting.of(
          "spark.rpc.message.maxSize",
          SettingType.size(ByteSize.Unit.MEBIBYTES),
          "128",
          "How large one message between processes may be, in MiB unless it says otherwise; at most"
              + " 2047.");

  public static final Setting<Integer> IO_THREADS =
      Setting.optional(
          "spark.rpc.io.threads",
          SettingType.count(1),
          "How many threads move bytes in each process. Unset: 2.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Network and security",
          List.of(
              AUTHENTICATE,
              CRYPTO_ENABLED,
              SECRET,
              SECRET_FILE,
              SECRET_BITS,
              DRIVER_HOST,
              DRIVER_BIND_ADDRESS,
              DRIVER_PORT,
              BLOCK_MANAGER_PORT,
              PORT_MAX_RETRIES,
              HTTP_HOSTS,
              TIMEOUT,
              ASK_TIMEOUT,
              MESSAGE_MAX_SIZE,
              IO_THREADS));

  private NetworkSettings() {}
}
