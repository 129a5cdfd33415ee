package io.kiln.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.launcher.SubmitOption;
import io.kiln.submit.cluster.ClusterManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `docs/options.md` says what the table of options and the cluster managers say. Written anew with
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
        .as("run: see CONTRIBUTING.md, docs/options.md")
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
    List<Place> places = places();
    for (SubmitOption.Group group : SubmitOption.Group.values()) {
      page.append("\n## ").append(group.title()).append("\n\n");
      page.append("| option | what it is | setting | variable |");
      places.forEach(place -> page.append(' ').append(place.title()).append(" |"));
      page.append("\n|---|---|---|---|").append("---|".repeat(places.size())).append('\n');
      for (SubmitOption option : SubmitOption.values()) {
        if (option.group() == group) {
          page.append(row(option, places));
        }
      }
    }
    return page.toString();
  }

  /// A column.
  private record Place(ClusterManager manager, boolean clusterMode, String title) {}

  private static List<Place> places() {
    List<Place> places = new ArrayList<>();
    for (ClusterManager manager : new ClusterManagers().all()) {
      if (manager.client().isEmpty()) {
        places.add(new Place(manager, false, "`" + manager.word() + "`"));
      } else {
        places.add(new Place(manager, false, manager.word() + ", client mode"));
        places.add(new Place(manager, true, manager.word() + ", cluster mode"));
      }
    }
    return places;
  }

  private static String row(SubmitOption option, List<Place> places) {
    List<String> cells = new ArrayList<>();
    cells.add("`" + (option.spelling() + " " + option.valueName()).strip() + "`");
    cells.add(option.help());
    cells.add(code(option.setting()));
    cells.add(code(option.environment()));
    places.forEach(place -> cells.add(effect(option, place)));
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private static String code(String text) {
    return text.isEmpty() ? "–" : "`" + text + "`";
  }

  private static String effect(SubmitOption option, Place place) {
    return switch (place.manager().effect(option, place.clusterMode())) {
      case APPLIES -> "used";
      case IGNORED -> "ignored";
      case REFUSED -> "refused";
    };
  }
}
