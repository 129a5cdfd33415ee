package io.kiln.bench.transport;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts messages that come back, and says how many more go out. Thread-safe.
final class Rally {
  private final AtomicInteger unsent;
  private final AtomicInteger missing;
  private final CountDownLatch all = new CountDownLatch(1);

  Rally(int messages) {
    unsent = new AtomicInteger(messages);
    missing = new AtomicInteger(messages);
  }

  /// @return whether one more is to be sent
  boolean next() {
    return unsent.getAndDecrement() > 0;
  }

  /// One has come back.
  void back() {
    if (missing.decrementAndGet() == 0) {
      all.countDown();
    }
  }

  void await() throws InterruptedException {
    all.await();
  }
}
