package io.kiln.submit;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// The threads that are left when a program's main method has returned, and that would keep the JVM
/// alive: the program's own, and one that Netty ends some time after the engine.
final class LeftoverThreads {

  /// A thread that is on its way out when main returns is not worth a warning.
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /// Nothing is waited for longer without a word.
  static final Duration SILENCE = Duration.ofSeconds(10);

  private LeftoverThreads() {}

  /// Whether there are any, the program's or not.
  static boolean areThere() {
    return !find().isEmpty();
  }

  static void warn(PrintStream out, String wayToKeepThem) {
    List<Thread> left = findOfProgram();
    if (left.isEmpty()) {
      return;
    }
    long deadline = System.nanoTime() + GRACE_NANOS;
    for (Thread thread : left) {
      long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (millis <= 0 || !join(thread, millis)) {
        break;
      }
    }
    left = findOfProgram();
    if (!left.isEmpty()) {
      out.println(
          "Warning: the program has ended and left threads that are not daemons running: "
              + names(left)
              + "; they end now (to wait for them: --conf "
              + wayToKeepThem
              + ")");
    }
  }

  /// Waits until none is left; says so when it takes long.
  ///
  /// @return whether there was any
  static boolean await(PrintStream out, String wayToEndThem) throws InterruptedException {
    List<Thread> left = findOfProgram();
    boolean any = !left.isEmpty();
    long tellAtNanos = System.nanoTime() + SILENCE.toNanos();
    boolean told = false;
    while (!left.isEmpty()) {
      Duration silence = Duration.ofNanos(Math.max(1, tellAtNanos - System.nanoTime()));
      if (told) {
        left.getFirst().join();
      } else if (!left.getFirst().join(silence)) {
        out.println(
            "The main method has returned, and the program is waited for since these threads of it"
                + " are not daemons: "
                + names(left)
                + " (to end with the main method: --conf "
                + wayToEndThem
                + ")");
        told = true;
      }
      left = findOfProgram();
    }
    return any;
  }

  private static String names(List<Thread> threads) {
    return threads.stream().map(Thread::getName).collect(Collectors.joining(", "));
  }

  private static boolean join(Thread thread, long millis) {
    try {
      thread.join(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// A thread of a class of the engine's libraries is none of the program's.
  private static List<Thread> findOfProgram() {
    List<Thread> left = find();
    ClassLoader engine = LeftoverThreads.class.getClassLoader();
    left.removeIf(thread -> thread.getClass().getClassLoader() == engine);
    return left;
  }

  private static List<Thread> find() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root.getParent() != null) {
      root = root.getParent();
    }
    Thread[] all = new Thread[root.activeCount() + 64];
    int count = root.enumerate(all, true);
    List<Thread> left = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (!all[i].isDaemon() && all[i] != Thread.currentThread()) {
        left.add(all[i]);
      }
    }
    return left;
  }
}
