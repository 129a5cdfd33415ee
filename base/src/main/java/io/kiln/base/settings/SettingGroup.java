package io.kiln.base.settings;

import java.util.List;

/// Settings of one subject, in the order in which they are documented.
///
/// @param title for people
public record SettingGroup(String title, List<Setting<?>> settings) {
  public SettingGroup {
    settings = List.copyOf(settings);
  }
}
