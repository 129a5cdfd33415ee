package io.kiln.base.settings;

import java.util.List;

/// How a standalone master takes submissions over HTTP.
public final class RestSettings {
  public static final Setting<Boolean> ENABLED =
      Setting.of(
          "spark.master.rest.enabled",
          SettingType.FLAG,
          "true",
          "Whether a standalone master takes submissions over HTTP.");

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
          "The port on which the master takes them; if it is taken, the next ones are tried. `0`:"
              + " any.");

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
          "Whether such a request needs a token (Bearer, JWT, HS256) signed by the cluster's"
              + " secret. `false`: whoever reaches the port may submit, which Apache Spark's own"
              + " client needs.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Standalone: submissions over HTTP",
          List.of(ENABLED, HOST, PORT, MAX_THREADS, AUTHENTICATE));

  private RestSettings() {}
}
