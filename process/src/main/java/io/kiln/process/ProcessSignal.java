package io.kiln.process;

import io.kiln.api.KilnException;
import sun.misc.Signal;

/// Signals that this process is sent.
///
/// There is no other way to hear of one: `sun.misc.Signal` is in `jdk.unsupported`, which exports
/// it to everybody until there is (JEP 260).
public final class ProcessSignal {
  private static final String PREFIX = "SIG";

  private ProcessSignal() {}

  /// Has something done whenever the signal comes.
  ///
  /// @param name as `PWR` or `SIGPWR`
  /// @param setting that names it, for the message
  /// @param action on a thread of its own
  /// @throws KilnException `SIGNAL_UNUSABLE` if there is no such signal, or it belongs to the JVM
  public static void handle(String name, String setting, Runnable action) {
    String bare = name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    try {
      var _ = Signal.handle(new Signal(bare), _ -> action.run());
    } catch (IllegalArgumentException e) {
      throw new KilnException(
          "SIGNAL_UNUSABLE",
          KilnException.Kind.USER,
          setting
              + "="
              + name
              + " can't be used: "
              + e.getMessage()
              + "; set it to a signal that the JVM leaves to others, such as PWR",
          e);
    }
  }
}
