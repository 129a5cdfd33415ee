package io.kiln.base.settings;

import java.util.Map;
import java.util.TreeMap;

/// The settings that stay with the process that was given them: by which it shows who it is, and
/// the passwords of its keys. Whoever runs for it is given something of its own.
public final class PrivateSettings {

  private PrivateSettings() {}

  /// What others may be sent.
  ///
  /// @return a copy
  public static Map<String, String> without(Map<String, String> settings) {
    Map<String, String> others = new TreeMap<>(settings);
    others.remove(NetworkSettings.SECRET.key());
    others.remove(NetworkSettings.SECRET_FILE.key());
    others.remove(StandaloneSettings.DRIVER_ID.key());
    others.remove(StandaloneSettings.DRIVER_SECRET.key());
    for (Setting<String> password : TlsSettings.passwords()) {
      others.remove(password.key());
      others.remove(TlsSettings.standalone(password).key());
      password.general().ifPresent(general -> others.remove(general.key()));
    }
    return others;
  }
}
