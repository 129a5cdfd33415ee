package io.kiln.executor.process;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is to be done when this process ends, wherever its start has got to by then. What was added
/// last is done first, and a step that fails keeps none of the others from being done. Thread-safe.
final class ProcessCleanup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessCleanup.class);

  // guarded by this
  private final Deque<AutoCloseable> steps = new ArrayDeque<>();
  private boolean closed;

  /// Has a step done at the end; at once if the process ends already.
  ///
  /// @return the same
  synchronized <T extends AutoCloseable> T add(T step) {
    if (closed) {
      run(step);
    } else {
      steps.push(step);
    }
    return step;
  }

  @Override
  public void close() {
    doAll();
  }

  /// Does all steps. Whoever calls it meanwhile waits for that. Idempotent.
  synchronized void doAll() {
    closed = true;
    while (!steps.isEmpty()) {
      run(steps.pop());
    }
  }

  private static void run(AutoCloseable step) {
    try {
      step.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the rest is done all the same
    } catch (Throwable e) {
      LOG.warn("The executor could not clean up all at its end: {}", e.toString());
    }
  }
}
