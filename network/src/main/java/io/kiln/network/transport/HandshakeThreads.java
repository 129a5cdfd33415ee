package io.kiln.network.transport;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does what costs much of a TLS hand-shake, so that no thread that moves bytes waits for it.
/// Origins take turns: whoever begins a thousand hand-shakes delays nobody else by more than one.
/// Thread-safe.
///
/// What waits is bounded by whoever bounds the connections: each has one task here at most.
public final class HandshakeThreads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HandshakeThreads.class);
  private static final int THREADS = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  private static final long IDLE_SECONDS = 10;

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(), // as many as there are threads, at most
          new DefaultThreadFactory("kiln-handshake", true));

  // guarded by this; an origin is here while something of it waits, the next one first
  private final Map<Object, ArrayDeque<Runnable>> waiting = new LinkedHashMap<>();
  private int running;
  private boolean closed;

  public HandshakeThreads() {
    threads.allowCoreThreadTimeOut(true);
  }

  /// @param origin whose turns the tasks take
  public Executor of(Object origin) {
    return task -> execute(origin, task);
  }

  private void execute(Object origin, Runnable task) {
    synchronized (this) {
      if (closed) {
        throw new RejectedExecutionException("closed");
      }
      waiting.computeIfAbsent(origin, _ -> new ArrayDeque<>()).add(task);
      if (running == THREADS) {
        return;
      }
      running++;
    }
    threads.execute(this::work);
  }

  private void work() {
    for (Runnable task = next(); task != null; task = next()) {
      try {
        task.run();
      } catch (Throwable e) { // which is that of one connection
        LOG.warn("A hand-shake failed", e);
      }
    }
  }

  private synchronized Runnable next() {
    Map.Entry<Object, ArrayDeque<Runnable>> first =
        waiting.isEmpty() ? null : waiting.entrySet().iterator().next();
    if (first == null || closed) {
      running--;
      return null;
    }
    Runnable task = first.getValue().remove();
    waiting.remove(first.getKey());
    if (!first.getValue().isEmpty()) {
      waiting.put(first.getKey(), first.getValue()); // its next turn comes after the others'
    }
    return task;
  }

  /// What waits is dropped. Idempotent.
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      waiting.clear();
    }
    threads.shutdown();
  }
}
