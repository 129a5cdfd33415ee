package io.kiln.submit.cluster;

import io.kiln.launcher.CommandLine;
import java.util.Locale;

/// What is to run, as its resource tells.
public enum ApplicationKind {
  JAR("A program"),
  PYTHON("A Python program"),
  R("An R program"),
  SHELL("The shell");

  private final String title;

  ApplicationKind(String title) {
    this.title = title;
  }

  public static ApplicationKind of(CommandLine line) {
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
  public String title() {
    return title;
  }
}
