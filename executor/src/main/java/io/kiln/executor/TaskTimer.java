package io.kiln.executor;

import io.kiln.api.listener.TaskMetrics.Times;

/// Where one task's time goes. The task's thread says how far it is; any may ask.
///
/// ```
/// begin ── deserialising ──► restored ── running ──► computed ── serialising ──► serialized
///                                                        └─ ending, which counts as running ─► end
/// ```
final class TaskTimer {
  private static final long NOT_YET = 0;

  /// Restoring that takes less is not worth asking for its processor time.
  private static final long SHORT_NANOS = 10_000;

  private final JvmTimes jvm;
  private final long beginNanos;
  private final long beginCpuNanos;
  private final long beginGcMillis;
  private long restoredCpuNanos;
  private long runCpuNanos;
  private long serializeNanos;
  private volatile long restoredNanos = NOT_YET;
  private volatile long computedNanos = NOT_YET;

  /// Called by the task's thread.
  ///
  /// @param beginNanos when the task got its slot
  TaskTimer(JvmTimes jvm, long beginNanos) {
    this.jvm = jvm;
    this.beginNanos = beginNanos;
    this.beginCpuNanos = jvm.cpuNanos();
    this.beginGcMillis = jvm.gcMillis();
  }

  private boolean tellsApart() {
    return jvm != JvmTimes.UNMEASURED;
  }

  void restored() {
    if (tellsApart()) {
      long now = System.nanoTime();
      restoredCpuNanos = now - beginNanos < SHORT_NANOS ? beginCpuNanos : jvm.cpuNanos();
      restoredNanos = now;
    }
  }

  void computed() {
    if (tellsApart()) {
      runCpuNanos = jvm.cpuNanos() - restoredCpuNanos;
      computedNanos = System.nanoTime();
    }
  }

  void serialized() {
    if (tellsApart()) {
      serializeNanos = System.nanoTime() - computedNanos;
    }
  }

  /// Called by the task's thread, when nothing more is done for the task.
  Times end() {
    if (restoredNanos != NOT_YET && computedNanos == NOT_YET) {
      computed(); // it failed
    }
    return at(System.nanoTime(), restoredNanos == NOT_YET ? jvm.cpuNanos() : 0);
  }

  /// @param thread the task's
  Times soFar(Thread thread) {
    return at(System.nanoTime(), jvm.cpuNanos(thread));
  }

  /// @param nowCpuNanos only matters before the task has computed
  private Times at(long nowNanos, long nowCpuNanos) {
    if (!tellsApart()) {
      return Times.ofRun(nowNanos - beginNanos);
    }
    long gcMillis = jvm.gcMillis() - beginGcMillis;
    long restored = restoredNanos;
    if (restored == NOT_YET) {
      return new Times(nowNanos - beginNanos, nowCpuNanos - beginCpuNanos, 0, 0, gcMillis, 0);
    }
    long deserialize = restored - beginNanos;
    boolean running = computedNanos == NOT_YET;
    long serialize = running ? 0 : serializeNanos;
    return new Times(
        deserialize,
        restoredCpuNanos - beginCpuNanos,
        nowNanos - beginNanos - deserialize - serialize,
        running ? nowCpuNanos - restoredCpuNanos : runCpuNanos,
        gcMillis,
        serialize);
  }
}
