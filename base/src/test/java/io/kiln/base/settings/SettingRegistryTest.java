package io.kiln.base.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SettingRegistryTest {
  private static final List<Class<?>> HOLDERS =
      List.of(
          ApplicationSettings.class,
          ClusterSettings.class,
          NetworkSettings.class,
          TlsSettings.class,
          RestSettings.class,
          SubmissionSettings.class,
          DependencySettings.class,
          LoginSettings.class,
          SchedulerSettings.class,
          AllocationSettings.class,
          MemorySettings.class,
          ReaperSettings.class,
          ShuffleSettings.class,
          StorageSettings.class,
          CleanerSettings.class,
          MasterSettings.class,
          WorkerSettings.class,
          DecommissionSettings.class,
          LogRollingSettings.class,
          StandaloneSettings.class,
          RecoverySettings.class);

  private static List<Setting<?>> registered() {
    List<Setting<?>> settings = new ArrayList<>();
    SettingRegistry.groups().forEach(group -> settings.addAll(group.settings()));
    return settings;
  }

  @Test
  void hasEveryConstant() throws Exception {
    Set<String> constants = new HashSet<>();
    for (Class<?> holder : HOLDERS) {
      for (Field field : holder.getDeclaredFields()) {
        if (Modifier.isPublic(field.getModifiers()) && field.getType() == Setting.class) {
          Setting<?> setting = (Setting<?>) field.get(null);
          constants.add(setting.key());
          setting.general().map(Setting::key).ifPresent(constants::add);
          if (holder == TlsSettings.class && setting.key().startsWith("spark.ssl.rpc.")) {
            constants.add(setting.key().replace("spark.ssl.rpc.", "spark.ssl.standalone."));
          }
        }
      }
    }
    assertThat(constants).hasSizeGreaterThan(30);
    assertThat(registered())
        .extracting(Setting::key)
        .containsExactlyInAnyOrderElementsOf(constants);
  }

  @Test
  void hasDefaultsThatParseAndWordsForPeople() {
    assertThat(registered())
        .allSatisfy(
            setting -> {
              setting.defaultText().ifPresent(setting::parse);
              setting.parse(setting.type().example());
              assertThat(setting.key()).startsWith("spark.");
              assertThat(setting.documentation()).endsWith(".");
              assertThat(SettingRegistry.find(setting.key()).orElseThrow()).isSameAs(setting);
            });
  }

  @Test
  void keepsWhatIsHonouredApartFromWhatIsNot() {
    Set<String> both = new HashSet<>(KnownKeys.unsupported().keySet());
    both.removeIf(key -> SettingRegistry.find(key).isEmpty());
    assertThat(both).isEmpty();
    assertThat(KnownKeys.unsupported())
        .hasSizeGreaterThan(500)
        .containsKeys("spark.yarn.queue", "spark.dynamicAllocation.enabled");
  }
}
