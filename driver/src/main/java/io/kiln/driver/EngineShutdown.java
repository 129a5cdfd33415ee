package io.kiln.driver;

import io.kiln.api.listener.KilnEvent;
import io.kiln.driver.cleaner.ContextCleaner;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends an engine: once, in order, when its context is closed or when the JVM ends.
///
/// First nobody gets anything new and running jobs fail, then tasks end, then what they used goes.
final class EngineShutdown {
  private static final Duration TASKS_END_WITHIN = Duration.ofSeconds(5);

  private final EngineParts parts;
  private final ContextCleaner cleaner;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final Thread hook;

  EngineShutdown(EngineParts parts, ContextCleaner cleaner) {
    this.parts = parts;
    this.cleaner = cleaner;
    this.hook = new Thread(this::end, "kiln-shutdown");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /// Idempotent.
  void run() {
    if (end()) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        log().debug("closed while the JVM ends", e);
      }
    }
  }

  private boolean end() {
    if (!begun.compareAndSet(false, true)) {
      return false;
    }
    step("ending the jobs", parts.jobs()::close);
    step("ending the tasks", this::endTasks);
    step("stopping the scheduler", parts.scheduler()::close);
    step("stopping the cleaner", cleaner::close);
    step("telling the listeners", this::closeStatus);
    step("dropping the broadcasts", parts.broadcasts()::close);
    step("removing stored data", parts.storage()::close);
    step("removing added files", parts.files()::close);
    return true;
  }

  private void endTasks() throws InterruptedException {
    parts.executor().close();
    if (!parts.executor().awaitEnd(TASKS_END_WITHIN)) {
      log()
          .warn(
              "tasks still run {} s after their context was closed; make them look at"
                  + " TaskContext.isInterrupted()",
              TASKS_END_WITHIN.toSeconds());
    }
  }

  private void closeStatus() {
    if (parts.status().listeners().hasListeners()) {
      parts.status().listeners().post(new KilnEvent.ApplicationEnded(System.currentTimeMillis()));
    }
    parts.status().close();
  }

  /// A step that fails keeps none of the others from being done.
  private static void step(String what, Step step) {
    try {
      step.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      log().warn("{} failed", what, e);
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  // Logging is set up only if there is something to say.
  private static Logger log() {
    return LoggerFactory.getLogger(EngineShutdown.class);
  }
}
