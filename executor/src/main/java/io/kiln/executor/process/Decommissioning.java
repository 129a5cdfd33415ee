package io.kiln.executor.process;

import io.kiln.base.settings.DecommissionSettings;
import io.kiln.base.settings.Settings;
import io.kiln.process.ProcessSignal;
import io.kiln.protocol.ExecutorReport.Decommissioned;
import io.kiln.protocol.ExecutorReport.Leaves;
import io.kiln.storage.LocalStorage;
import io.kiln.storage.remote.Departure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How an executor goes that is about to be taken away. Thread-safe.
///
/// ```
///            signal, told to the driver
///   (works) ────────────────────────────► (works)
///      │ the driver says that no task will come
///      ▼
///   moving: blocks and map outputs to others, while tasks run
///      │ the driver knows what became of all tasks, and nothing is left to be moved
///      ▼
///   leaving: told to the driver, which says that it may end
///      │ what others are reading has been sent
///      ▼
///   (ended)
/// ```
final class Decommissioning {
  private static final Logger LOG = LoggerFactory.getLogger(Decommissioning.class);
  private static final Duration READERS_END_WITHIN = Duration.ofSeconds(10);

  private final String executorId;
  private final long incarnation;
  private final Driver driver;
  private final ServedContents served;
  private final Departure departure;
  private final AtomicBoolean begun = new AtomicBoolean();

  /// @param served what others read here
  Decommissioning(
      String executorId,
      long incarnation,
      Driver driver,
      LocalStorage storage,
      ServedContents served) {
    this.executorId = executorId;
    this.incarnation = incarnation;
    this.driver = driver;
    this.served = served;
    this.departure =
        storage.departure((shuffleId, maps, to) -> driver.moved(executorId, shuffleId, maps, to));
  }

  /// From now on a signal begins it, if the application wants that.
  ///
  /// @throws io.kiln.api.KilnException `SIGNAL_UNUSABLE`
  void openToSignals(Settings settings) {
    if (settings.get(DecommissionSettings.ENABLED)) {
      ProcessSignal.handle(
          settings.get(DecommissionSettings.EXECUTOR_SIGNAL),
          DecommissionSettings.EXECUTOR_SIGNAL.key(),
          () -> driver.tell(new Decommissioned(executorId, incarnation)));
    }
  }

  /// No task will come any more. Returns at once.
  void begin() {
    if (begun.compareAndSet(false, true)) {
      LOG.info("This executor takes no more tasks, moves what it has to others, and ends");
      Thread.ofVirtual().name("kiln-departure").start(this::moveAll);
    }
  }

  private void moveAll() {
    try {
      departure.run();
      LOG.info("This executor has nothing more that others need");
    } catch (Throwable e) { // it has to go all the same, and others compute what is lost
      LOG.warn("This executor leaves, and not all that it has could be moved", e);
    }
    driver.tell(new Leaves(executorId, incarnation));
  }

  /// The driver knows what became of all tasks.
  void drained() {
    departure.drained();
  }

  /// The process may end.
  ///
  /// @param end ends it; at once if it was not on its way out
  void end(Runnable end) {
    if (!begun.get()) {
      end.run();
      return;
    }
    Thread.ofVirtual()
        .name("kiln-farewell")
        .start(
            () -> {
              try {
                served.awaitNone(READERS_END_WITHIN);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e); // nobody interrupts this thread
              } finally {
                end.run();
              }
            });
  }
}
