package io.kiln.programs;

import java.io.Serial;
import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Holds tasks until the test lets them go. A task's copy is the same gate.
final class Gate implements Serializable {
  private static final Map<Integer, Gate> ALL = new ConcurrentHashMap<>();
  private static final AtomicInteger NEXT = new AtomicInteger();

  private final int id = NEXT.getAndIncrement();
  private final transient Semaphore held = new Semaphore(0);
  private final transient CountDownLatch opened = new CountDownLatch(1);

  Gate() {
    ALL.put(id, this);
  }

  /// In a task: says that it is here, and waits.
  <T> T hold(T value) throws InterruptedException {
    held.release();
    if (!opened.await(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the gate was never opened");
    }
    return value;
  }

  /// In a task: says that it is here, and goes on.
  void pass() {
    held.release();
  }

  void awaitHeld(int tasks) throws InterruptedException {
    if (!held.tryAcquire(tasks, 30, TimeUnit.SECONDS)) {
      throw new AssertionError("fewer than " + tasks + " tasks came");
    }
  }

  int waitingToBeSeen() {
    return held.availablePermits();
  }

  void open() {
    opened.countDown();
  }

  @Serial
  private Object readResolve() {
    return ALL.get(id);
  }
}
