package io.kiln.driver.status;

import io.kiln.api.listener.KilnEvent;
import io.kiln.api.listener.KilnListener;
import io.kiln.api.spi.StatusView;
import io.kiln.base.settings.ApplicationSettings;
import io.kiln.base.settings.Settings;
import io.kiln.scheduler.StatusEvent;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where the scheduler's status events go: into the status store, to the listeners if there are
/// any, to the progress bar, and into the log.
///
/// Thread-safe. Events come in order, on one thread; handling one takes microseconds and never
/// waits for a listener. Close it after the last event.
public final class ApplicationStatus implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ApplicationStatus.class);

  private final StatusStore store;
  private final ListenerBus listeners;
  private final ListenerFeed feed;
  private final ProgressBar progressBar;
  private final StatusLog log = new StatusLog(LOG);

  public ApplicationStatus(Settings settings) {
    store =
        new StatusStore(
            settings.get(ApplicationSettings.RETAINED_JOBS),
            settings.get(ApplicationSettings.RETAINED_STAGES));
    listeners = new ListenerBus(settings.get(ApplicationSettings.LISTENER_QUEUE_CAPACITY));
    feed = new ListenerFeed(listeners, store);
    progressBar = ProgressBar.create(settings, store);
  }

  /// Takes the scheduler's next event.
  public void accept(StatusEvent event) {
    if (event instanceof StatusEvent.Warning(String text)) {
      LOG.warn(text);
      return;
    }
    long nowMillis = System.currentTimeMillis();
    store.accept(event, nowMillis);
    progressBar.accept(event);
    log.accept(event, nowMillis);
    if (listeners.hasListeners()) {
      feed.accept(event, nowMillis);
    }
  }

  /// An executor says how far its tasks are.
  public void progress(String executorId, List<KilnEvent.TaskProgress> tasks) {
    if (listeners.hasListeners()) {
      feed.progress(executorId, tasks, System.currentTimeMillis());
    }
  }

  /// For the status tracker.
  public StatusView view() {
    return store;
  }

  /// For events that don't come from the scheduler, and to ask whether anyone watches single tasks.
  public ListenerBus listeners() {
    return listeners;
  }

  public void addListener(KilnListener listener) {
    listeners.add(listener);
  }

  public void removeListener(KilnListener listener) {
    listeners.remove(listener);
    if (!listeners.hasListeners()) {
      feed.forget();
    }
  }

  /// Takes the progress bar off the terminal, before other output is written there.
  public void clearProgressBar() {
    progressBar.clear();
  }

  /// Takes the progress bar away and lets the listeners hear what waits for them, for a limited
  /// time. Idempotent.
  @Override
  public void close() {
    progressBar.close();
    listeners.close();
  }
}
