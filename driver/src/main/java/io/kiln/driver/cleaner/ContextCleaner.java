package io.kiln.driver.cleaner;

import io.kiln.api.Broadcast;
import io.kiln.api.RDD;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.accumulator.Accumulator;
import io.kiln.base.settings.CleanerSettings;
import io.kiln.base.settings.Settings;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes persisted blocks, shuffles, broadcasts and accumulators once nothing in the driver
/// refers to them any more.
///
/// Registration may come from any thread and costs one small object. Removals happen one at a time
/// on a daemon thread of its own, started by the first registration. If garbage is collected
/// seldom, because the driver's heap is large, executors' disks would fill meanwhile: so the thread
/// asks for a collection every `spark.cleaner.periodicGC.interval`.
public final class ContextCleaner implements AutoCloseable {

  /// What removes the pieces. Called on the cleaner's thread; what it throws is logged.
  public interface Removals {
    void removeRdd(int rddId);

    void removeShuffle(int shuffleId);

    void removeBroadcast(long broadcastId);

    void removeAccumulator(long accumulatorId);
  }

  private static final Logger LOG = LoggerFactory.getLogger(ContextCleaner.class);

  private final Removals removals;
  private final Runnable collectGarbage;
  private final boolean enabled;
  private final long periodicGcNanos;
  private final ReferenceQueue<Object> unreachable = new ReferenceQueue<>();

  /// Keeps the references themselves reachable.
  private final Set<Tracked> tracked = ConcurrentHashMap.newKeySet();

  private Thread thread;
  private volatile boolean closed;

  public ContextCleaner(Settings settings, Removals removals) {
    this(settings, removals, System::gc);
  }

  /// @param collectGarbage what to run periodically
  ContextCleaner(Settings settings, Removals removals, Runnable collectGarbage) {
    this.removals = removals;
    this.collectGarbage = collectGarbage;
    this.enabled = settings.get(CleanerSettings.REFERENCE_TRACKING);
    Duration interval = settings.get(CleanerSettings.PERIODIC_GC_INTERVAL);
    this.periodicGcNanos = interval.isZero() ? Long.MAX_VALUE : interval.toNanos();
  }

  /// The blocks of a persisted RDD go when the RDD does.
  public void register(RDD<?> rdd) {
    track(rdd, Kind.RDD, rdd.id());
  }

  public void register(ShuffleDependency<?, ?, ?> shuffle) {
    track(shuffle, Kind.SHUFFLE, shuffle.shuffleId());
  }

  public void register(Broadcast<?> broadcast) {
    track(broadcast, Kind.BROADCAST, broadcast.id());
  }

  public void register(Accumulator<?, ?> accumulator) {
    track(accumulator, Kind.ACCUMULATOR, accumulator.id());
  }

  private void track(Object referent, Kind kind, long id) {
    if (!enabled || closed) {
      return;
    }
    tracked.add(new Tracked(referent, unreachable, kind, id));
    synchronized (this) {
      if (thread == null && !closed) {
        thread = new Thread(this::run, "kiln-cleaner");
        thread.setDaemon(true);
        thread.start();
      }
    }
  }

  private void run() {
    long lastGc = System.nanoTime();
    while (!closed) {
      try {
        long waitNanos = periodicGcNanos - (System.nanoTime() - lastGc);
        if (waitNanos <= 0) {
          collectGarbage.run();
          lastGc = System.nanoTime();
        } else if (unreachable.remove(Math.max(1, waitNanos / 1_000_000)) instanceof Tracked gone) {
          tracked.remove(gone);
          remove(gone);
        }
      } catch (InterruptedException e) {
        return; // closed
      }
    }
  }

  private void remove(Tracked gone) {
    try {
      switch (gone.kind) {
        case RDD -> removals.removeRdd((int) gone.id);
        case SHUFFLE -> removals.removeShuffle((int) gone.id);
        case BROADCAST -> removals.removeBroadcast(gone.id);
        case ACCUMULATOR -> removals.removeAccumulator(gone.id);
      }
      LOG.info(
          "{} {} is no longer referenced, and what was kept of it is removed", gone.kind, gone.id);
    } catch (RuntimeException | Error e) {
      LOG.warn("{} {} is no longer referenced, but removing it failed", gone.kind, gone.id, e);
    }
  }

  /// How many things are watched.
  int numTracked() {
    return tracked.size();
  }

  /// Stops watching; nothing is removed any more. Waits for the removal under way. Idempotent.
  @Override
  public void close() {
    Thread running;
    synchronized (this) {
      closed = true;
      running = thread;
    }
    if (running != null && running != Thread.currentThread()) {
      running.interrupt();
      try {
        running.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    tracked.clear();
  }

  private enum Kind {
    RDD,
    SHUFFLE,
    BROADCAST,
    ACCUMULATOR
  }

  private static final class Tracked extends PhantomReference<Object> {
    private final Kind kind;
    private final long id;

    Tracked(Object referent, ReferenceQueue<Object> queue, Kind kind, long id) {
      super(referent, queue);
      this.kind = kind;
      this.id = id;
    }
  }
}
