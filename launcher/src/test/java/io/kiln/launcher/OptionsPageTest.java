package io.kiln.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// `docs/options.md` says what the table of options says. Written anew with
/// `-Dkiln.docs.update=true`.
class OptionsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "options.md");

  @Test
  void pageIsThatOfTheTable() throws IOException {
    String page = page();
    if (Boolean.getBoolean("kiln.docs.update")) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE))
        .as("run: mvn -pl launcher -am test -Dtest=OptionsPageTest -Dkiln.docs.update=true")
        .isEqualTo(page);
  }

  private static String page() {
    StringBuilder page =
        new StringBuilder(
            """
            # Options of `spark-submit`

            `run-example` and `spark-shell` take the same options. Options stand before the application's
            jar; all that follows the jar goes to the application. An option's value may also be joined to
            it: `--name=VALUE`.

            Most options are another spelling of a setting ([settings.md](settings.md)). The option is
            stronger than `--conf` with that setting. A variable of the environment gives the value when
            nothing else does.

            The last columns say what an option does where the application runs: it is *used*, it is
            *ignored* with a warning, or it is *refused*. In local mode and with `local-cluster[W,C,M]` there
            is no cluster mode.

            This page is generated from the table of options.
            """);
    for (SubmitOption.Group group : SubmitOption.Group.values()) {
      page.append("\n## ").append(group.title()).append("\n\n");
      page.append("| option | what it is | setting | variable | `local` | `local-cluster` |");
      page.append(" standalone, client mode | standalone, cluster mode |\n");
      page.append("|---|---|---|---|---|---|---|---|\n");
      for (SubmitOption option : SubmitOption.values()) {
        if (option.group() == group) {
          page.append(row(option));
        }
      }
    }
    return page.toString();
  }

  private static String row(SubmitOption option) {
    String spelling = (option.spelling() + " " + option.valueName()).strip();
    return String.join(
        " | ",
        "| `" + spelling + "`",
        option.help(),
        code(option.setting()),
        code(option.environment()),
        effect(option, ClusterManager.LOCAL, false),
        effect(option, ClusterManager.LOCAL_CLUSTER, false),
        effect(option, ClusterManager.STANDALONE, false),
        effect(option, ClusterManager.STANDALONE, true) + " |\n");
  }

  private static String code(String text) {
    return text.isEmpty() ? "–" : "`" + text + "`";
  }

  private static String effect(SubmitOption option, ClusterManager manager, boolean clusterMode) {
    return switch (OptionMatrix.effect(option, manager, clusterMode)) {
      case APPLIES -> "used";
      case IGNORED -> "ignored";
      case REFUSED -> "refused";
    };
  }
}
