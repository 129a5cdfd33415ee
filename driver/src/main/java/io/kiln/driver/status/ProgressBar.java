package io.kiln.driver.status;

import io.kiln.base.settings.ApplicationSettings;
import io.kiln.base.settings.Settings;
import io.kiln.scheduler.StatusEvent;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Shows on a terminal how far the stages are that run longer than half a second.
///
/// Drawn by a daemon thread of its own, which starts with the first stage, looks whether there is a
/// terminal at all only when a stage has run that long, and costs a short job at most one wake-up
/// in half a second. Thread-safe.
final class ProgressBar implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProgressBar.class);

  /// Stages shorter than this are not shown.
  static final Duration FIRST_DELAY = Duration.ofMillis(500);

  /// A terminal echoes Ctrl-C behind the bar, as `^C`.
  private static final int ECHO_COLUMNS = 2;

  private final StatusStore store;
  private final Terminal terminal;
  private final long intervalMillis;
  private volatile boolean enabled;

  // guarded by this
  private Thread thread;
  private boolean stageSeen;
  private boolean idle;
  private int shownLength;

  /// Where the bar is drawn.
  ///
  /// @param isPresent asked once, from the bar's thread
  /// @param columns its width
  record Terminal(PrintStream out, BooleanSupplier isPresent, int columns) {}

  /// @param enabled whether to show anything at all
  ProgressBar(StatusStore store, Terminal terminal, Duration interval, boolean enabled) {
    this.store = store;
    this.terminal = terminal;
    this.intervalMillis = Math.max(1, interval.toMillis());
    this.enabled = enabled;
  }

  static ProgressBar create(Settings settings, StatusStore store) {
    return new ProgressBar(
        store,
        StandardError.terminal(),
        settings.get(ApplicationSettings.CONSOLE_PROGRESS_INTERVAL),
        settings.get(ApplicationSettings.SHOW_CONSOLE_PROGRESS));
  }

  /// The store has seen the event already.
  void accept(StatusEvent event) {
    if (!enabled) {
      return;
    }
    switch (event) {
      case StatusEvent.StageStarted _ -> stageStarted();
      case StatusEvent.StageEnded _, StatusEvent.JobEnded _ -> {
        if (store.isIdle()) {
          clear();
        }
      }
      case StatusEvent.JobStarted _,
          StatusEvent.StageProgress _,
          StatusEvent.TasksStarted _,
          StatusEvent.TasksEnded _,
          StatusEvent.ExecutorAdded _,
          StatusEvent.ExecutorRemoved _,
          StatusEvent.Warning _ -> {}
    }
  }

  private synchronized void stageStarted() {
    stageSeen = true;
    if (thread == null) {
      thread = new Thread(this::run, "kiln-progress-bar");
      thread.setDaemon(true);
      thread.start();
    } else if (idle) {
      notifyAll();
    }
  }

  private void run() {
    try {
      while (enabled) {
        awaitStage();
        pause(FIRST_DELAY.toMillis());
        while (enabled && !store.isIdle()) {
          if (draw(System.currentTimeMillis())) {
            pause(intervalMillis);
          }
        }
      }
    } catch (InterruptedException e) {
      enabled = false;
    } catch (RuntimeException | Error e) {
      enabled = false;
      LOG.warn("The progress of stages is shown no more", e);
    }
  }

  private synchronized void awaitStage() throws InterruptedException {
    idle = true;
    while (!stageSeen && enabled) {
      wait();
    }
    idle = false;
    stageSeen = false;
  }

  private synchronized void pause(long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    for (long left = millis; enabled && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
      wait(left);
    }
  }

  /// Draws the stages that are old enough, over what is there.
  ///
  /// @return whether to go on: `false` if there is no terminal
  synchronized boolean draw(long nowMillis) {
    String line =
        ProgressLine.of(
            store.underWay(),
            nowMillis - FIRST_DELAY.toMillis(),
            Math.max(1, terminal.columns() - ECHO_COLUMNS));
    if (line.isEmpty()) {
      return true;
    }
    if (shownLength == 0 && !terminal.isPresent().getAsBoolean()) {
      enabled = false;
      return false;
    }
    terminal.out().print("\r" + line + " ".repeat(Math.max(0, shownLength - line.length())));
    terminal.out().flush();
    shownLength = line.length();
    return true;
  }

  /// Takes the bar off the terminal, if it is there.
  synchronized void clear() {
    if (shownLength > 0) {
      terminal.out().print("\r" + " ".repeat(shownLength + ECHO_COLUMNS) + "\r");
      terminal.out().flush();
      shownLength = 0;
    }
  }

  @Override
  public synchronized void close() {
    enabled = false;
    clear();
    notifyAll();
  }
}
