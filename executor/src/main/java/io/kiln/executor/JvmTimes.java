package io.kiln.executor;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;

/// What the JVM knows of where time goes. Thread-safe.
///
/// Asking it costs about a microsecond a task, and 20 ms before the first: so it isn't asked while
/// nobody wants to know.
sealed interface JvmTimes {
  /// Everything is 0.
  JvmTimes UNMEASURED = new Unmeasured();

  /// The processor time of the calling thread.
  long cpuNanos();

  /// The processor time of another thread.
  long cpuNanos(Thread thread);

  /// How long garbage has been collected.
  long gcMillis();

  /// Loads what it takes.
  static JvmTimes measured() {
    return new Measured(
        ManagementFactory.getThreadMXBean(), ManagementFactory.getGarbageCollectorMXBeans());
  }

  /// Asks nobody.
  record Unmeasured() implements JvmTimes {
    @Override
    public long cpuNanos() {
      return 0;
    }

    @Override
    public long cpuNanos(Thread thread) {
      return 0;
    }

    @Override
    public long gcMillis() {
      return 0;
    }
  }

  /// Asks the JVM.
  record Measured(ThreadMXBean threads, List<GarbageCollectorMXBean> collectors)
      implements JvmTimes {
    @Override
    public long cpuNanos() {
      return threads.getCurrentThreadCpuTime();
    }

    @Override
    public long cpuNanos(Thread thread) {
      return threads.getThreadCpuTime(thread.threadId());
    }

    @Override
    public long gcMillis() {
      long millis = 0;
      for (GarbageCollectorMXBean collector : collectors) {
        millis += collector.getCollectionTime();
      }
      return millis;
    }
  }
}
