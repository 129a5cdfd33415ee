package io.kiln.process;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// Ends this process when a thread dies that it can't do without: it would go on as half of itself,
/// and whoever waits for the other half would wait for ever.
///
/// The JVM's shutdown hooks run, for as long as [#FAREWELL]. Any thread may die at any time.
public final class VitalThreads implements Thread.UncaughtExceptionHandler {
  private static final Duration FAREWELL = Duration.ofSeconds(10);

  private final String process;
  private final int exitCode;
  private final boolean isDaemon;
  private final AtomicBoolean ending = new AtomicBoolean();

  private VitalThreads(String process, int exitCode, boolean isDaemon) {
    this.process = process;
    this.exitCode = exitCode;
    this.isDaemon = isDaemon;
  }

  /// From now on the process ends with the first platform thread that dies of what nobody catches.
  /// Where each thread does a piece of work of its own, as virtual ones do, that is enough to lose.
  ///
  /// @param process for people, as in "the worker"
  public static void ofDaemon(String process, int exitCode) {
    Thread.setDefaultUncaughtExceptionHandler(new VitalThreads(process, exitCode, true));
  }

  /// As [#ofDaemon], where threads of others run too: only those are vital by which tasks run and
  /// are heard of.
  public static void ofProgram(String process, int exitCode) {
    Thread.setDefaultUncaughtExceptionHandler(new VitalThreads(process, exitCode, false));
  }

  private boolean isVital(Thread thread) {
    String name = thread.getName();
    return !thread.isVirtual()
        && (isDaemon
            || name.startsWith("kiln-executor-")
            || name.startsWith("kiln-network")
            || name.startsWith("kiln-parent-watch"));
  }

  /// Prints what the JVM would print.
  @Override
  public void uncaughtException(Thread thread, Throwable failure) {
    System.err.print("Exception in thread \"" + thread.getName() + "\" ");
    failure.printStackTrace();
    if (isVital(thread) && ending.compareAndSet(false, true)) {
      System.err.println(
          "Error: "
              + process
              + " ends, as its thread "
              + thread.getName()
              + " has died ("
              + failure
              + "); please report this with the log");
      end();
    }
  }

  /// By other threads: hooks may wait for the one that has died.
  private void end() {
    Thread.ofPlatform().daemon().name("exit").start(() -> System.exit(exitCode));
    Thread.ofPlatform().daemon().name("halt").start(this::halt);
  }

  private void halt() {
    try {
      Thread.sleep(FAREWELL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(exitCode);
  }
}
