package io.kiln.standalone.client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The cores of the executors that the master has given and not taken back. Thread-safe.
final class GrantedCores {
  private static final int FEWEST_SLOTS = 2;

  // guarded by itself
  private final Map<Integer, Integer> byExecutor = new HashMap<>();

  private final CountDownLatch firstWord = new CountDownLatch(1);

  void add(int executorId, int cores) {
    synchronized (byExecutor) {
      byExecutor.put(executorId, cores);
    }
    firstWord.countDown();
  }

  void remove(int executorId) {
    synchronized (byExecutor) {
      byExecutor.remove(executorId);
    }
  }

  /// The master has said that the application has to wait.
  void nothingYet() {
    firstWord.countDown();
  }

  int now() {
    synchronized (byExecutor) {
      return byExecutor.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  /// How many tasks run at once. Once, where the master has not said anything yet, it waits a
  /// moment: who asks at once would be told too little for good.
  int slots(long firstWordWithin, TimeUnit unit) {
    try {
      boolean _ = firstWord.await(firstWordWithin, unit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    firstWord.countDown();
    return Math.max(FEWEST_SLOTS, now());
  }
}
