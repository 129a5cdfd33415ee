package io.kiln.process;

import java.time.Duration;
import java.util.Optional;

/// Ends this process when the one that looks after it is gone without having ended it: nobody else
/// would, and another may have been started in its place.
///
/// The JVM's shutdown hooks run, for as long as [#FAREWELL].
public final class ParentWatch {
  private static final String PROPERTY = "kiln.parent";
  private static final Duration INTERVAL = Duration.ofMillis(500);
  private static final Duration FAREWELL = Duration.ofSeconds(10);

  private ParentWatch() {}

  /// The option of a JVM that is to go with this process. It is no variable of the environment,
  /// which would go on to whatever the JVM starts.
  public static String option() {
    return "-D" + PROPERTY + "=" + ProcessHandle.current().pid();
  }

  /// Watches the parent, if there is such an option, from a thread of its own.
  ///
  /// @param exitCode that this process ends with
  public static void start(int exitCode) {
    String pid = System.getProperty(PROPERTY);
    if (pid != null) {
      Thread.ofPlatform()
          .daemon()
          .name("kiln-parent-watch")
          .start(() -> watch(ProcessHandle.of(Long.parseLong(pid)), exitCode));
    }
  }

  private static void watch(Optional<ProcessHandle> parent, int exitCode) {
    try {
      while (parent.isPresent() && parent.get().isAlive()) {
        Thread.sleep(INTERVAL);
      }
      System.err.println("The worker that started this process is gone; ending.");
      Thread.ofPlatform().daemon().start(() -> System.exit(exitCode));
      Thread.sleep(FAREWELL);
      Runtime.getRuntime().halt(exitCode); // a hook would wait for ever
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
