package io.kiln.launcher;

import io.kiln.launcher.channel.Channel;
import io.kiln.launcher.channel.ChannelListener;
import io.kiln.launcher.channel.ChannelMessage;
import io.kiln.launcher.channel.ChannelMessage.StopApplication;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;

/// An application that [KilnLauncher#startApplication] started. The handle tells how it is, and can
/// end it.
///
/// The handle watches the process, and hears from the application over a channel. It reaches a
/// final state when the process has ended, or on [#disconnect]. The application goes on when this
/// JVM ends or the channel breaks.
///
/// Thread-safe. Its threads are virtual, so they keep no JVM alive.
public final class AppHandle {

  /// How far an application is. It reaches each state at most once, and in this order.
  public enum State {
    /// The process was started, and has not been heard of yet.
    UNKNOWN,
    /// `spark-submit` is up in its own JVM.
    CONNECTED,
    /// The program has made a context.
    SUBMITTED,
    /// The context can run jobs.
    RUNNING,
    /// Final: the process ended with exit code 0.
    FINISHED,
    /// Final: the process ended with another exit code.
    FAILED,
    /// Final: the process ended because [AppHandle#stop] or [AppHandle#kill] asked for it.
    KILLED,
    /// Final: the handle knows nothing any more, as [AppHandle#disconnect] was called.
    LOST;

    /// Returns whether no other state follows.
    public boolean isFinal() {
      return compareTo(FINISHED) >= 0;
    }
  }

  /// Hears what changes, in order. A thread of the handle calls it, one at a time.
  public interface Listener {

    /// @param state the new state; [AppHandle#state] may be further already
    default void stateChanged(AppHandle handle, State state) {}

    /// Hears that the application's id or its error has become known. The handle has the latest of
    /// each.
    default void infoChanged(AppHandle handle) {}
  }

  /// The last that an ended process said is waited for, but others may hold its channel open.
  private static final Duration LAST_WORDS_WITHIN = Duration.ofSeconds(5);

  private static final Logger LOG = Logger.getLogger(AppHandle.class.getName());

  private final Process process;
  private final ChannelListener channelListener;
  private final AppListeners listeners;
  private final CountDownLatch end = new CountDownLatch(1);
  private Progress progress = Progress.START;
  private Channel channel; // null before the application has connected
  private boolean stopWanted;

  private AppHandle(Process process, ChannelListener channelListener, List<Listener> listeners) {
    this.process = process;
    this.channelListener = channelListener;
    this.listeners = new AppListeners(this, listeners);
  }

  /// @param channelListener where the process will call; closed by the handle
  static AppHandle watch(
      Process process, ChannelListener channelListener, List<Listener> listeners) {
    AppHandle handle = new AppHandle(process, channelListener, listeners);
    Thread channelThread =
        Thread.ofVirtual().name("kiln-launcher-channel").start(handle::followChannel);
    Thread.ofVirtual()
        .name("kiln-launcher-process")
        .start(() -> handle.followProcess(channelThread));
    return handle;
  }

  // ---- what is known --------------------------------------------------------------------------

  public synchronized State state() {
    return progress.state();
  }

  /// Returns the application's id, which is that of the program's latest context. It is empty
  /// before the program has one.
  public synchronized Optional<String> applicationId() {
    return progress.applicationId().isEmpty()
        ? Optional.empty()
        : Optional.of(progress.applicationId());
  }

  /// Returns why the application failed: one line if it was refused, or else the text of its
  /// exception.
  public synchronized Optional<String> error() {
    return progress.error().isEmpty() ? Optional.empty() : Optional.of(progress.error());
  }

  /// Returns the exit code of the process. If a signal ended the process, it is 128 and the
  /// signal's number. It is empty while the process runs.
  public synchronized OptionalInt exitCode() {
    return progress.exitCode() == Progress.RUNNING
        ? OptionalInt.empty()
        : OptionalInt.of(progress.exitCode());
  }

  /// Lets the listener hear of all changes from now on. It first hears of the present state, unless
  /// that is [State#UNKNOWN].
  public void addListener(Listener listener) {
    listeners.add(listener);
  }

  /// Waits until the state is final. Listeners may hear of it a little later.
  ///
  /// @return whether the state became final within the limit
  public boolean awaitEnd(Duration limit) throws InterruptedException {
    return end.await(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  // ---- what can be done -----------------------------------------------------------------------

  /// Asks the application to end, as `SIGTERM` does: its jobs are cancelled, its contexts are
  /// closed, and its shutdown hooks run. If it hasn't connected yet, it is asked when it has.
  public synchronized void stop() {
    stopWanted = true;
    if (channel != null && !progress.state().isFinal()) {
      askToStop();
    }
  }

  /// Ends the process at once, so nothing of it is closed in order. Does nothing after
  /// [#disconnect].
  public synchronized void kill() {
    if (!progress.state().isFinal()) {
      progress = progress.ending();
      Process unused = process.destroyForcibly();
    }
  }

  /// Lets go of the application, which runs on. The state becomes [State#LOST], unless it is final
  /// already.
  public void disconnect() {
    update(Progress::lost);
    channelListener.close();
    closeChannel();
  }

  // ---- what happens ---------------------------------------------------------------------------

  private void followChannel() {
    try (Channel connected = channelListener.await()) {
      take(connected);
      while (true) {
        ChannelMessage message = connected.receive();
        update(progress -> progress.after(message));
      }
    } catch (IOException e) {
      LOG.log(Level.FINE, "the application's channel ended", e); // its process tells how it ended
    }
  }

  private synchronized void take(Channel connected) throws IOException {
    if (progress.state().isFinal()) {
      throw new IOException("disconnected");
    }
    channel = connected;
    update(Progress::connected);
    if (stopWanted) {
      askToStop();
    }
  }

  private void followProcess(Thread channelThread) {
    try {
      int exitCode = process.waitFor();
      channelListener.close();
      if (!channelThread.join(LAST_WORDS_WITHIN)) {
        closeChannel();
      }
      update(progress -> progress.ended(exitCode));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody has this thread to interrupt it", e);
    }
  }

  private synchronized void askToStop() {
    try {
      channel.send(new StopApplication());
    } catch (IOException e) {
      LOG.log(Level.FINE, "the application is gone, or about to", e);
    }
  }

  private synchronized void closeChannel() {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        LOG.log(Level.FINE, "the application's channel was not closed properly", e);
      }
    }
  }

  private synchronized void update(UnaryOperator<Progress> change) {
    Progress before = progress;
    progress = change.apply(before);
    if (!progress.applicationId().equals(before.applicationId())
        || !progress.error().equals(before.error())) {
      listeners.infoChanged();
    }
    if (progress.state() != before.state()) {
      listeners.stateChanged(progress.state());
      if (progress.state().isFinal()) {
        end.countDown();
      }
    }
  }
}
