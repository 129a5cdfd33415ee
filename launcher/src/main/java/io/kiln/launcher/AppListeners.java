package io.kiln.launcher;

import io.kiln.launcher.AppHandle.Listener;
import io.kiln.launcher.AppHandle.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Who wants to hear about one application, and what they have yet to hear.
///
/// Thread-safe. All is told by one thread, which ends when there has been nothing to tell for a
/// while.
final class AppListeners {

  private static final long IDLE_SECONDS = 1;

  private static final Logger LOG = Logger.getLogger(AppListeners.class.getName());

  private final AppHandle handle;
  private final ThreadPoolExecutor teller;

  // Both belong to the teller's thread.
  private final List<Listener> listeners;
  private State told = State.UNKNOWN;

  AppListeners(AppHandle handle, List<Listener> listeners) {
    this.handle = handle;
    this.listeners = new ArrayList<>(listeners);
    this.teller =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // a few changes for each context that the program makes
            Thread.ofVirtual().name("kiln-launcher-teller").factory());
    teller.allowCoreThreadTimeOut(true);
  }

  void add(Listener listener) {
    teller.execute(
        () -> {
          listeners.add(listener);
          if (told != State.UNKNOWN) {
            tell(listener, one -> one.stateChanged(handle, told));
          }
        });
  }

  void stateChanged(State state) {
    teller.execute(
        () -> {
          told = state;
          tellAll(listener -> listener.stateChanged(handle, state));
        });
  }

  void infoChanged() {
    teller.execute(() -> tellAll(listener -> listener.infoChanged(handle)));
  }

  private void tellAll(Consumer<Listener> what) {
    for (Listener listener : listeners) {
      tell(listener, what);
    }
  }

  private static void tell(Listener listener, Consumer<Listener> what) {
    try {
      what.accept(listener);
    } catch (RuntimeException | Error e) { // the others hear of it all the same
      LOG.log(Level.WARNING, "a listener to an application failed: " + listener, e);
    }
  }
}
