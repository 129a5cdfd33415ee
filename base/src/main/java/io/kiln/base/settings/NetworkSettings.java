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
          "Whether processes prove to each other that they know a shared secret, and encrypt"
              + " what they say. `false`: whoever reaches a port is believed, and nothing is"
              + " encrypted.");

  public static final Setting<Boolean> CRYPTO_ENABLED =
      Setting.of(
          "spark.network.crypto.enabled",
          SettingType.FLAG,
          "true",
          "Whether processes that authenticate each other also encrypt what they say, by TLS"
              + " 1.3. `false`: they only prove the secret when they meet. Somebody between two"
              + " processes can then read everything and take the connection over.");

  public static final Setting<String> SECRET =
      Setting.optional(
          "spark.authenticate.secret",
          SettingType.TEXT,
          "The secret of a standalone cluster, for its masters. An application always makes a"
              + " secret of its own.");

  public static final Setting<String> SECRET_FILE =
      Setting.optional(
          "spark.authenticate.secret.file",
          SettingType.TEXT,
          "A file that holds the secret of a standalone cluster. Nobody but its owner may be"
              + " able to read it.");

  public static final Setting<Integer> SECRET_BITS =
      Setting.of(
          "spark.authenticate.secretBitLength",
          SettingType.count(128),
          "256",
          "How many random bits the secret of an application has.");

  public static final Setting<String> DRIVER_HOST =
      Setting.optional(
          "spark.driver.host",
          SettingType.TEXT,
          "The name or address at which executors reach the driver. Unset: `localhost` with"
              + " `local-cluster[W,C,M]`; on a standalone cluster an address of the driver's"
              + " host.");

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
          "How many ports are tried after one that is taken, each the next. Unset: 16 for ports"
              + " that nobody named and for `spark.blockManager.port`, and none for a port that"
              + " somebody named. Set: that many for all of them.");

  public static final Setting<List<String>> HTTP_HOSTS =
      Setting.of(
          "spark.kiln.http.hosts",
          SettingType.LIST,
          "",
          "More names of this host for its HTTP servers, such as an alias or that of a proxy, as"
              + " `name` or `name:port`; `*`: any name. A request for another name is refused,"
              + " so that no web page can make a browser ask in its place.");

  public static final Setting<Duration> TIMEOUT =
      Setting.of(
          "spark.network.timeout",
          SettingType.time(Durations.Unit.SECONDS),
          "120s",
          "How long a process may be silent before it is given up.");

  public static final Setting<Duration> ASK_TIMEOUT =
      Setting.optional(
          "spark.rpc.askTimeout",
          SettingType.time(Durations.Unit.SECONDS),
          "How long a process waits for an answer. Unset: `spark.network.timeout`.");

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
