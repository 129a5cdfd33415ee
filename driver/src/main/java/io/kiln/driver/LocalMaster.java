package io.kiln.driver;

import io.kiln.api.KilnException;

/// A master URL of local mode: everything runs in this process.
///
/// @param slots how many tasks run at once, at least 1
/// @param maxTaskFailures how often a task may fail until its job fails, at least 1
record LocalMaster(int slots, int maxTaskFailures) {
  private static final String PREFIX = "local";

  /// Parses `local`, `local[N]`, `local[*]`, `local[N,F]` and `local[*,F]`.
  ///
  /// @throws KilnException `MASTER_INVALID`
  static LocalMaster parse(String master) {
    String text = master.trim();
    if (text.equals(PREFIX)) {
      return new LocalMaster(1, 1);
    }
    if (!text.startsWith(PREFIX + "[") || !text.endsWith("]")) {
      throw invalid(master, "only local mode is there");
    }
    String inside = text.substring(PREFIX.length() + 1, text.length() - 1);
    int comma = inside.indexOf(',');
    String slots = comma < 0 ? inside : inside.substring(0, comma);
    int failures = comma < 0 ? 1 : count(inside.substring(comma + 1), master);
    return new LocalMaster(
        slots.trim().equals("*")
            ? Runtime.getRuntime().availableProcessors()
            : count(slots, master),
        failures);
  }

  private static int count(String text, String master) {
    int count;
    try {
      count = Integer.parseInt(text.trim());
    } catch (NumberFormatException e) {
      throw invalid(master, "'" + text + "' is not a whole number");
    }
    if (count < 1) {
      throw invalid(master, count + " is less than 1");
    }
    return count;
  }

  private static KilnException invalid(String master, String why) {
    return new KilnException(
        "MASTER_INVALID",
        KilnException.Kind.USER,
        "can't use the master '"
            + master
            + "': "
            + why
            + "; give local, local[N], local[*] or local[N,F] (N tasks at once, F failures of a"
            + " task allowed)");
  }
}
