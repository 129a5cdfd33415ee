package io.kiln.submit;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The threads that are left when a program's main method has returned, and that would keep the JVM
/// alive: the program's own, and one that Netty ends some time after the engine.
final class LeftoverThreads {

  /// A thread that is on its way out when main returns is not worth a warning.
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

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
    List<String> names = new ArrayList<>();
    for (Thread thread : findOfProgram()) {
      names.add(thread.getName());
    }
    if (!names.isEmpty()) {
      out.println(
          "Warning: the program has ended and left threads that are not daemons running: "
              + String.join(", ", names)
              + "; they end now (to wait for them: --conf "
              + wayToKeepThem
              + ")");
    }
  }

  /// Waits until none is left.
  static void await() {
    for (List<Thread> left = findOfProgram(); !left.isEmpty(); left = findOfProgram()) {
      if (!join(left.getFirst(), 0)) {
        return;
      }
    }
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
