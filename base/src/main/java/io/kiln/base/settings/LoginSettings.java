package io.kiln.base.settings;

import java.time.Duration;
import java.util.List;

/// Who the application is to Hadoop's services. Read by `spark-submit`, before the program starts.
public final class LoginSettings {
  public static final Setting<String> PRINCIPAL =
      Setting.optional(
          "spark.kerberos.principal",
          SettingType.TEXT,
          "The Kerberos principal that the application is to Hadoop's services. Under"
              + " `spark-submit` only.");

  public static final Setting<String> KEYTAB =
      Setting.optional(
          "spark.kerberos.keytab",
          SettingType.TEXT,
          "The file with the principal's keys. Under `spark-submit` only.");

  public static final Setting<Duration> RELOGIN_PERIOD =
      Setting.of(
          "spark.kerberos.relogin.period",
          SettingType.time(Durations.Unit.SECONDS),
          "1m",
          "How often to look whether the principal's ticket ends soon, and to log in again by"
              + " the keytab if it does. `0`: never.");

  static final SettingGroup GROUP =
      new SettingGroup("Hadoop login", List.of(PRINCIPAL, KEYTAB, RELOGIN_PERIOD));

  private LoginSettings() {}
}
