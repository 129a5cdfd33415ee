package io.kiln.driver.cleaner;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.Broadcast;
import io.kiln.api.KilnConf;
import io.kiln.api.accumulator.Accumulator;
import io.kiln.base.settings.Settings;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ContextCleanerTest {
  private final Recorder removals = new Recorder();

  private static Settings settings(String... keysAndValues) {
    KilnConf conf = new KilnConf(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return Settings.of(conf);
  }

  private static final class Recorder implements ContextCleaner.Removals {
    private final LinkedBlockingQueue<String> removed = new LinkedBlockingQueue<>();

    @Override
    public void removeRdd(int rddId) {
      removed.add("rdd " + rddId);
    }

    @Override
    public void removeShuffle(int shuffleId) {
      removed.add("shuffle " + shuffleId);
    }

    @Override
    public void removeBroadcast(long broadcastId) {
      removed.add("broadcast " + broadcastId);
      if (broadcastId == 13) {
        throw new IllegalStateException("on purpose");
      }
      if (broadcastId == 14) {
        throw new StackOverflowError("on purpose");
      }
    }

    @Override
    public void removeAccumulator(long accumulatorId) {
      removed.add("accumulator " + accumulatorId);
    }

    /// Collects garbage until something was removed.
    String next() throws InterruptedException {
      String next = null;
      while (next == null) {
        System.gc();
        next = removed.poll(10, TimeUnit.MILLISECONDS);
      }
      return next;
    }
  }

  private static final class Value extends Broadcast<String> {
    Value(long id) {
      super(id);
    }

    @Override
    public String value() {
      return "v";
    }

    @Override
    public void unpersist() {}

    @Override
    public void destroy() {}
  }

  private static final class Sum extends Accumulator<Long, Long> {
    private long sum;

    static Sum registered(long id) {
      Sum accumulator = new Sum();
      accumulator.registered(id, Optional.empty());
      return accumulator;
    }

    @Override
    public boolean isZero() {
      return sum == 0;
    }

    @Override
    public Sum copy() {
      return new Sum();
    }

    @Override
    public void reset() {
      sum = 0;
    }

    @Override
    public void add(Long value) {
      sum += value;
    }

    @Override
    public void merge(Accumulator<Long, Long> other) {
      sum += other.value();
    }

    @Override
    public Long value() {
      return sum;
    }
  }

  @Test
  void removesWhatIsNoLongerReferencedAndNothingElse() throws InterruptedException {
    Value kept = new Value(1);
    try (ContextCleaner cleaner = new ContextCleaner(settings(), removals)) {
      cleaner.register(kept);
      cleaner.register(new Value(2));
      assertThat(removals.next()).isEqualTo("broadcast 2");
      cleaner.register(Sum.registered(3));
      assertThat(removals.next()).isEqualTo("accumulator 3");
      assertThat(cleaner.numTracked()).isEqualTo(1);
    }
    assertThat(removals.removed).isEmpty();
    assertThat(kept.id()).isEqualTo(1);
  }

  @Test
  void goesOnAfterARemovalFails() throws InterruptedException {
    try (ContextCleaner cleaner = new ContextCleaner(settings(), removals)) {
      cleaner.register(new Value(13));
      assertThat(removals.next()).isEqualTo("broadcast 13");
      cleaner.register(new Value(14));
      assertThat(removals.next()).isEqualTo("broadcast 14");
      cleaner.register(new Value(15));
      assertThat(removals.next()).isEqualTo("broadcast 15");
    }
  }

  @Test
  void tracksNothingWhenSwitchedOff() {
    try (ContextCleaner cleaner =
        new ContextCleaner(settings("spark.cleaner.referenceTracking", "false"), removals)) {
      cleaner.register(new Value(1));
      assertThat(cleaner.numTracked()).isZero();
    }
  }

  @Test
  void collectsGarbagePeriodically() throws InterruptedException {
    CountDownLatch collections = new CountDownLatch(3);
    Value kept = new Value(1);
    try (ContextCleaner cleaner =
        new ContextCleaner(
            settings("spark.cleaner.periodicGC.interval", "1ms"),
            removals,
            collections::countDown)) {
      cleaner.register(kept);
      collections.await();
    }
    assertThat(kept.value()).isEqualTo("v");
  }

  @Test
  void removesNothingOnceClosed() {
    ContextCleaner cleaner = new ContextCleaner(settings(), removals);
    cleaner.register(new Value(1));
    cleaner.close();
    cleaner.close();
    cleaner.register(new Value(2));

    assertThat(cleaner.numTracked()).isZero();
  }
}
