package io.kiln.driver.status;

import io.kiln.api.listener.KilnEvent;
import io.kiln.api.listener.KilnListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings events to listeners, in order, on a daemon thread of its own, which starts with the first
/// listener.
///
/// Thread-safe; [#post] never waits. Events wait in a bounded queue; when slow listeners let it
/// fill up, events are dropped and a warning says how many once it moves again. A listener that
/// throws is logged and hears the next event.
public final class ListenerBus implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ListenerBus.class);
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(10);

  /// Ends the thread once all events before it are delivered.
  private static final KilnEvent LAST = new KilnEvent.ApplicationEnded(-1);

  private final ArrayBlockingQueue<KilnEvent> queue;
  private final Duration drainLimit;
  private final List<KilnListener> listeners = new CopyOnWriteArrayList<>();
  private final AtomicLong dropped = new AtomicLong();
  private volatile boolean hasListeners;
  private volatile boolean closed;
  private volatile boolean givenUp;
  private Thread thread;

  public ListenerBus(int capacity) {
    this(capacity, DRAIN_LIMIT);
  }

  /// @param drainLimit how long [#close] waits for listeners
  ListenerBus(int capacity, Duration drainLimit) {
    this.queue = new ArrayBlockingQueue<>(capacity);
    this.drainLimit = drainLimit;
  }

  public synchronized void add(KilnListener listener) {
    if (closed) {
      return;
    }
    listeners.add(listener);
    hasListeners = true;
    if (thread == null) {
      thread = new Thread(this::run, "kiln-listeners");
      thread.setDaemon(true);
      thread.start();
    }
  }

  public synchronized void remove(KilnListener listener) {
    listeners.remove(listener);
    hasListeners = !listeners.isEmpty();
  }

  /// Whether an event would be heard; without listeners, none need be made.
  public boolean hasListeners() {
    return hasListeners;
  }

  /// Puts an event at the end of the queue, or drops it if the queue is full.
  public void post(KilnEvent event) {
    if (hasListeners && !closed && !queue.offer(event) && dropped.getAndIncrement() == 0) {
      LOG.warn(
          "listeners are too slow: events are being dropped; make them faster, or raise"
              + " spark.scheduler.listenerbus.eventqueue.capacity");
    }
  }

  private void run() {
    try {
      for (KilnEvent event = next(); event != LAST; event = next()) {
        for (KilnListener listener : listeners) {
          deliver(event, listener);
        }
        if (queue.isEmpty()) {
          reportDropped();
        }
      }
    } catch (InterruptedException e) {
      LOG.warn("listeners did not end in time: {} events are dropped", queue.size());
    }
    reportDropped();
  }

  /// @throws InterruptedException by [#close], when it has waited long enough
  private KilnEvent next() throws InterruptedException {
    while (true) {
      try {
        return queue.take();
      } catch (InterruptedException e) {
        if (givenUp) {
          throw e;
        }
        LOG.debug("A listener has interrupted the thread of listeners");
      }
    }
  }

  private void reportDropped() {
    long count = dropped.getAndSet(0);
    if (count > 0) {
      LOG.warn("{} events were dropped because listeners were too slow", count);
    }
  }

  private static void deliver(KilnEvent event, KilnListener listener) {
    try {
      listener.onEvent(event);
    } catch (Throwable e) { // the other listeners, and the next event, have nothing to do with it
      LOG.error("listener {} failed on {}", listener.getClass().getName(), event, e);
    }
  }

  /// Takes no more events, lets listeners hear those that wait, for a limited time. Idempotent.
  @Override
  public void close() {
    Thread running;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      running = thread;
    }
    if (running == null || running == Thread.currentThread()) {
      return;
    }
    try {
      long deadline = System.nanoTime() + drainLimit.toNanos();
      if (queue.offer(LAST, drainLimit.toNanos(), java.util.concurrent.TimeUnit.NANOSECONDS)) {
        running.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    givenUp = true;
    running.interrupt();
  }
}
