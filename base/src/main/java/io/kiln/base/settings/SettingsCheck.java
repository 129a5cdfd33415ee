package io.kiln.base.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Looks over the settings that a user gave, once, when a context starts.
public final class SettingsCheck {

  private SettingsCheck() {}

  /// Parses every value that a registered setting has.
  ///
  /// @return a line for each key that is misspelt, has another name by now, or has no effect yet
  /// @throws io.kiln.api.KilnException `SETTING_INVALID` for the first value that doesn't parse
  public static List<String> warnings(Settings settings) {
    List<String> warnings = new ArrayList<>();
    for (Map.Entry<String, String> entry : settings.texts().entrySet()) {
      String key = entry.getKey();
      Setting<?> setting = SettingRegistry.find(key).orElse(null);
      if (setting == null) {
        KnownKeys.explain(key).ifPresent(warnings::add);
      } else {
        settings.find(setting);
        if (!key.equals(setting.key())) {
          warnings.add(key + " is the former name of " + setting.key() + "; use that");
        }
      }
    }
    return warnings;
  }
}
