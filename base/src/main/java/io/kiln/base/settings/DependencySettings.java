package io.kiln.base.settings;

import java.time.Duration;
import java.util.List;

/// What an application brings along besides its own jar.
public final class DependencySettings {
  public static final Setting<List<String>> JARS =
      Setting.of(
          "spark.jars",
          SettingType.LIST,
          "",
          "Jars to put on the application's class path, as paths or URIs.");

  public static final Setting<List<String>> FILES =
      Setting.of(
          "spark.files",
          SettingType.LIST,
          "",
          "Files to put where `KilnFiles` finds them, as paths or URIs; `#NAME` at the end gives"
              + " one another name.");

  public static final Setting<List<String>> ARCHIVES =
      Setting.of(
          "spark.archives",
          SettingType.LIST,
          "",
          "Archives (`.zip`, `.jar`, `.tar`, `.tar.gz`, `.tgz`) to unpack where `KilnFiles` finds"
              + " them, as paths or URIs; `#NAME` at the end names the directory.");

  public static final Setting<Duration> FETCH_TIMEOUT =
      Setting.of(
          "spark.files.fetchTimeout",
          SettingType.time(Durations.Unit.SECONDS),
          "60s",
          "How long the server of a file, jar or archive may say nothing.");

  public static final Setting<List<String>> PACKAGES =
      Setting.of(
          "spark.jars.packages",
          SettingType.LIST,
          "",
          "Maven coordinates `group:artifact:version` of jars to add with what they need."
              + " Under `spark-submit` only.");

  public static final Setting<List<String>> EXCLUDES =
      Setting.of(
          "spark.jars.excludes",
          SettingType.LIST,
          "",
          "`group:artifact` pairs that `spark.jars.packages` leaves out; `*` stands for anything.");

  public static final Setting<List<String>> REPOSITORIES =
      Setting.of(
          "spark.jars.repositories",
          SettingType.LIST,
          "",
          "Maven repositories to look in for packages before Maven Central: `URL`, or `ID::URL`"
              + " with an id that Maven's `settings.xml` knows.");

  public static final Setting<String> PACKAGE_DIRECTORY =
      Setting.optional(
          "spark.jars.ivy",
          SettingType.TEXT,
          "The directory of the local Maven repository. Unset: Maven's own.");

  public static final Setting<Boolean> DRIVER_OWN_FIRST =
      Setting.of(
          "spark.driver.userClassPathFirst",
          SettingType.FLAG,
          "false",
          "Whether an application's own SLF4J and Hadoop client come before the engine's. Nothing"
              + " else is shared but the API, of which there is one.");

  public static final Setting<Boolean> EXECUTOR_OWN_FIRST =
      Setting.of(
          "spark.executor.userClassPathFirst",
          SettingType.FLAG,
          "false",
          "The same for tasks. In local mode they see what the driver sees, and either setting"
              + " holds for both.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Dependencies",
          List.of(
              JARS,
              FILES,
              ARCHIVES,
              FETCH_TIMEOUT,
              PACKAGES,
              EXCLUDES,
              REPOSITORIES,
              PACKAGE_DIRECTORY,
              DRIVER_OWN_FIRST,
              EXECUTOR_OWN_FIRST));

  private DependencySettings() {}
}
