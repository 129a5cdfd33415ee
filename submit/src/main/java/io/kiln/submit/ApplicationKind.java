package io.kiln.submit;

import io.kiln.launcher.ClusterManager;
import io.kiln.launcher.CommandLine;
import io.kiln.launcher.Refusal;
import java.util.Locale;

/// What is to run, as its resource tells, and where such a thing can: `y` or `n` for local,
/// local-cluster, standalone, YARN and Kubernetes, each in client and then in cluster mode.
enum ApplicationKind {
  JAR("A program", "yn yn yy yy yy"),
  PYTHON("A Python program", "yn yn yn yy yy"),
  R("An R program", "yn yn yn yy nn"),
  SHELL("The shell", "yn yn yn yn yn");

  private final String title;
  private final String places;

  ApplicationKind(String title, String places) {
    this.title = title;
    this.places = places;
  }

  static ApplicationKind of(CommandLine line) {
    if (line.isShell()) {
      return SHELL;
    }
    String resource =
        line.arguments().isEmpty() ? "" : line.arguments().getFirst().toLowerCase(Locale.ROOT);
    if (resource.endsWith(".py") || resource.equals("pyspark-shell")) {
      return PYTHON;
    }
    return resource.endsWith(".r") || resource.equals("sparkr-shell") ? R : JAR;
  }

  /// As a sentence begins with it.
  String title() {
    return title;
  }

  /// @throws Refusal if such a thing never runs there
  void requireRunsOn(ClusterManager manager, boolean clusterMode) {
    if (manager.cell(places, clusterMode) == 'y') {
      return;
    }
    boolean inClientMode = manager.cell(places, false) == 'y';
    throw new Refusal(
        title
            + " can't run"
            + (inClientMode ? " in cluster mode" : "")
            + " on "
            + manager.title()
            + (inClientMode ? ": use client mode" : ": choose another master"));
  }
}
