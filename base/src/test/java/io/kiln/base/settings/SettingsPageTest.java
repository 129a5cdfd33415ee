package io.kiln.base.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// `docs/settings.md` says what the registry says. Written anew with `-Dkiln.docs.update=true`.
class SettingsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "settings.md");

  @Test
  void pageIsThatOfTheRegistry() throws IOException {
    String page = page();
    if (Boolean.getBoolean("kiln.docs.update")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE))
        .as("run: mvn -pl base -am test -Dtest=SettingsPageTest -Dkiln.docs.update=true")
        .isEqualTo(page);
  }

  private static String page() {
    StringBuilder page =
        new StringBuilder(
            """
            # Settings

            This page lists the settings that Kiln honours, by subject. You can set them with
            `--conf key=value`, in `conf/spark-defaults.conf`, or on a `KilnConf`. A setting of the program
            is stronger than one of the command line, which is stronger than one of the file.

            If a value doesn't parse, the start ends with one line that says what was expected. A key gets
            a warning if it looks misspelt, or if Spark has it and Kiln does not honour it yet. Other keys
            that begin with `spark.` are the program's own.

            Sizes are whole numbers with `b`, `k`, `m`, `g`, `t` or `p`, in powers of 1,024. Times are
            whole numbers with `us`, `ms`, `s`, `min`, `h` or `d`.

            This page is generated from the registry of settings.
            """);
    for (SettingGroup group : SettingRegistry.groups()) {
      page.append("\n## ").append(group.title()).append("\n\n");
      page.append("| key | default | what it is | value |\n|---|---|---|---|\n");
      for (Setting<?> setting : group.settings()) {
        page.append("| `").append(setting.key()).append("` | ").append(defaultOf(setting));
        page.append(" | ").append(setting.documentation()).append(former(setting));
        page.append(" | ").append(setting.type().expected()).append(" |\n");
      }
    }
    return page.toString();
  }

  private static String defaultOf(Setting<?> setting) {
    String text = setting.defaultText().orElse("");
    return text.isEmpty() ? "–" : "`" + text.replace("|", "\\|") + "`";
  }

  private static String former(Setting<?> setting) {
    StringBuilder text = new StringBuilder();
    for (Setting.FormerKey former : setting.formerKeys()) {
      text.append(" Formerly `").append(former.key()).append("`.");
    }
    return text.toString();
  }
}
