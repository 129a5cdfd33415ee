package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.kiln.base.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A setting that the registry calls honoured is read by the part that it belongs to; one that
/// nobody reads belongs in the list of those that are not supported.
class SettingsUsedTest {

  @Test
  void everySettingIsReadOutsideTheRegistry() throws Exception {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.kiln");
    Set<String> unread = new TreeSet<>();
    int settings = 0;
    for (JavaClass registry : classes) {
      for (JavaField field : registry.getFields()) {
        if (registry.getPackageName().equals("io.kiln.base.settings")
            && field.getRawType().isEquivalentTo(Setting.class)
            && registry.getSimpleName().endsWith("Settings")) {
          settings++;
          Setting<?> setting = (Setting<?>) field.reflect().get(null);
          if (isUnread(field) && !isReadAsText(setting.key())) {
            unread.add(setting.key());
          }
        }
      }
    }
    assertThat(settings).isGreaterThan(20);
    assertThat(unread).isEmpty();
  }

  private static boolean isUnread(JavaField field) {
    return field.getAccessesToSelf().stream()
        .noneMatch(
            access -> !access.getOriginOwner().getPackageName().equals("io.kiln.base.settings"));
  }

  /// The launcher uses the JDK alone, and `submit` reads settings before there are any of an
  /// engine, so they name their keys themselves.
  private static boolean isReadAsText(String key) throws IOException {
    for (String module : List.of("launcher", "submit")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main"))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          if (Files.readString(file).contains('"' + key + '"')) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
