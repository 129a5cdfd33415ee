package io.kiln.base.settings;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All settings that the engine honours. Immutable.
public final class SettingRegistry {
  private static final List<SettingGroup> GROUPS =
      List.of(
          ApplicationSettings.GROUP,
          ClusterSettings.GROUP,
          ReaperSettings.GROUP,
          NetworkSettings.GROUP,
          TlsSettings.GROUP,
          StandaloneSettings.GROUP,
          RecoverySettings.GROUP,
          RestSettings.GROUP,
          SubmissionSettings.GROUP,
          DependencySettings.GROUP,
          LoginSettings.GROUP,
          SchedulerSettings.GROUP,
          AllocationSettings.GROUP,
          MemorySettings.GROUP,
          ShuffleSettings.GROUP,
          StorageSettings.GROUP,
          CleanerSettings.GROUP,
          MasterSettings.GROUP,
          WorkerSettings.GROUP,
          DecommissionSettings.GROUP,
          LogRollingSettings.GROUP);
  private static final Map<String, Setting<?>> BY_KEY = byKey();

  private SettingRegistry() {}

  private static Map<String, Setting<?>> byKey() {
    Map<String, Setting<?>> settings = new HashMap<>(256);
    for (SettingGroup group : GROUPS) {
      for (Setting<?> setting : group.settings()) {
        put(settings, setting.key(), setting);
        for (Setting.FormerKey former : setting.formerKeys()) {
          put(settings, former.key(), setting);
        }
      }
    }
    return settings;
  }

  private static void put(Map<String, Setting<?>> settings, String key, Setting<?> setting) {
    if (settings.put(key, setting) != null) {
      throw new IllegalStateException(key + " is registered twice");
    }
  }

  /// By subject, as documented.
  public static List<SettingGroup> groups() {
    return GROUPS;
  }

  /// The setting of this key or former key.
  public static Optional<Setting<?>> find(String key) {
    return Optional.ofNullable(BY_KEY.get(key));
  }

  static Iterable<String> keys() {
    return BY_KEY.keySet();
  }
}
