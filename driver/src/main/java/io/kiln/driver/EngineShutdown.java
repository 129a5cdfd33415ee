package io.kiln.driver;

import io.kiln.api.listener.KilnEvent;
import io.kiln.driver.cleaner.ContextCleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends an engine: once, in order, when its context is closed or when the JVM ends.
///
/// First the cleaner stops, which has the others remove things. Then nobody gets anything new and
/// running jobs fail, then tasks end, then what they used goes.
final class EngineShutdown {
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
    close(cleaner);
    close(parts.jobs());
    close(parts.backend()::stopTasks);
    close(parts.backend());
    close(parts.scheduler());
    close(this::tellEnd);
    close(parts.application().status());
    close(parts.broadcasts());
    close(parts.storage());
    close(parts.application().files());
    return true;
  }

  private void tellEnd() {
    if (parts.application().status().listeners().hasListeners()) {
      parts
          .application()
          .status()
          .listeners()
          .post(new KilnEvent.ApplicationEnded(System.currentTimeMillis()));
    }
  }

  /// A part that can't be closed keeps none of the others from it.
  private static void close(AutoCloseable part) {
    try {
      part.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      tell(part, e);
    }
  }

  private static void tell(AutoCloseable part, Throwable failure) {
    try {
      log().warn("{} was not closed properly", part.getClass().getSimpleName(), failure);
    } catch (Throwable e) { // a logging of the user's may not start any more while the JVM ends
      System.err.println("an engine was not closed properly: " + failure);
    }
  }

  // Logging is set up only if there is something to say.
  private static Logger log() {
    return LoggerFactory.getLogger(EngineShutdown.class);
  }
}
