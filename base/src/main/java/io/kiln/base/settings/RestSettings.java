package io.kiln.base.settings;

import java.util.List;

/// How a standalone master takes submissions over HTTP.
public final class RestSettings {
  public static final Setting<Boolean> ENABLED =
      Setting.of(
          "spark.master.rest.enabled",
          SettingType.FLAG,
          "true",
          "Whether a standalone master takes submissions over HTTP. `spark-submit` uses HTTP only"
              + " where this is set to `true` for it, and the cluster's own protocol otherwise.");

  public static final Setting<String> HOST =
      Setting.optional(
          "spark.master.rest.host",
          SettingType.TEXT,
          "The address on which the master takes them. Unset: the master's host.");

  public static final Setting<Integer> PORT =
      Setting.of(
          "spark.master.rest.port",
          SettingType.count(0, 65_535),
          "6066",
          "The port on which the master takes them. Unset: 6066, or if it is taken one of the next."
              + " `0`: any.");

  public static final Setting<Integer> MAX_THREADS =
      Setting.of(
          "spark.master.rest.maxThreads",
          SettingType.count(1),
          "200",
          "How many such requests the master works on at once; more are told to come again.");

  public static final Setting<Boolean> AUTHENTICATE =
      Setting.of(
          "spark.kiln.master.rest.authenticate",
          SettingType.FLAG,
          "true",
          "Whether such a request needs a token (Bearer, JWT, HS256) that is made for it and signed"
              + " by the cluster's secret. `false`: whoever reaches the port may submit, which"
              + " Apache Spark's own client needs.");

  /// The one filter that is known, by the name that users have for it.
  public static final String JWS_FILTER = "org.apache.spark.ui.JWSFilter";

  public static final Setting<List<String>> FILTERS =
      Setting.optional(
          "spark.master.rest.filters",
          SettingType.LIST,
          "`"
              + JWS_FILTER
              + "`: a request may also bring a token signed by the key that is shared with those"
              + " who submit, as with Apache Spark. Such a token is good for any request. Others"
              + " are not known.");

  public static final Setting<String> JWS_KEY =
      Setting.optional(
          "spark." + JWS_FILTER + ".param.secretKey",
          SettingType.TEXT,
          "The key of that filter, in Base64 for URLs, of at least 256 bits. `spark-submit` signs"
              + " by it where it has no secret of the cluster.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Standalone: submissions over HTTP",
          List.of(ENABLED, HOST, PORT, MAX_THREADS, AUTHENTICATE, FILTERS, JWS_KEY));

  private RestSettings() {}
}
