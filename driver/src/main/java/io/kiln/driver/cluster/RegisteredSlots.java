package io.kiln.driver.cluster;

import io.kiln.base.settings.SchedulerSettings;
import io.kiln.base.settings.Settings;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/// How many tasks the executors that have registered run at once. Thread-safe.
public final class RegisteredSlots {
  private final Map<String, Integer> byExecutor = new HashMap<>();

  synchronized void registered(String executorId, int slots) {
    byExecutor.put(executorId, slots);
    notifyAll();
  }

  synchronized void lost(String executorId) {
    byExecutor.remove(executorId);
  }

  /// Waits until as large a part of them is there as the settings want, or for as long as they say.
  ///
  /// @param wanted how many there will be, as far as that is known now
  public synchronized void await(Settings settings, IntSupplier wanted) {
    double part = settings.get(SchedulerSettings.MIN_REGISTERED_RATIO);
    long deadlineNanos =
        System.nanoTime() + settings.get(SchedulerSettings.MAX_REGISTERED_WAIT).toNanos();
    long leftNanos = deadlineNanos - System.nanoTime();
    while (part > 0 && leftNanos > 0 && sum() < Math.max(1, wanted.getAsInt()) * part) {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // whoever interrupts wants no more of this
        return;
      }
      leftNanos = deadlineNanos - System.nanoTime();
    }
  }

  private int sum() {
    return byExecutor.values().stream().mapToInt(Integer::intValue).sum();
  }
}
