package io.kiln.daemon.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The file mode creation mask of what a worker runs: that of whoever started the worker, which may
/// keep what it writes itself to itself.
record ProgramUmask(String digits) {
  /// By which the scripts say what it was before they changed it.
  private static final String VARIABLE = "KILN_UMASK";

  static ProgramUmask of(Map<String, String> environment) {
    String digits = environment.getOrDefault(VARIABLE, "");
    return new ProgramUmask(digits.matches("[0-7]{1,4}") ? digits : "");
  }

  /// The process remains the one that is started.
  void setIn(ProcessBuilder builder) {
    if (!digits.isEmpty()) {
      List<String> command =
          new ArrayList<>(List.of("/bin/sh", "-c", "umask \"$0\" && exec \"$@\"", digits));
      command.addAll(builder.command());
      builder.command(command);
    }
  }
}
