package io.kiln.network.transport;

import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Says in the log who was closed before it was believed, and why. Whoever comes again and again
/// can't fill the log: in a minute there are [#SAME] lines for one reason and [#ALL] in all, and
/// then one with how many more there were. Thread-safe.
final class RefusedConnections {
  static final int SAME = 20;
  static final int ALL = 100;

  static final long WINDOW_SECONDS = 60;

  private final Consumer<String> log;

  // guarded by this; of the present window
  private final Map<String, Integer> linesByReason = new HashMap<>();
  private boolean counting;
  private int lines;
  private long more;

  /// @param log takes lines
  RefusedConnections(Consumer<String> log) {
    this.log = log;
  }

  /// @param loop wakes this up at the end of a window
  void refused(SocketAddress from, String why, EventLoop loop) {
    if (mayBeSaid(why, loop)) {
      log.accept("A connection from " + Causes.text(from) + " was closed: " + why);
    }
  }

  private synchronized boolean mayBeSaid(String why, EventLoop loop) {
    if (!counting) {
      counting = true;
      var _ = loop.schedule(this::endWindow, WINDOW_SECONDS, TimeUnit.SECONDS);
    }
    if (lines == ALL || linesByReason.getOrDefault(why, 0) == SAME) {
      more++;
      return false;
    }
    lines++;
    linesByReason.merge(why, 1, Integer::sum);
    return true;
  }

  private void endWindow() {
    long unsaid;
    synchronized (this) {
      unsaid = more;
      more = 0;
      lines = 0;
      linesByReason.clear();
      counting = false;
    }
    if (unsaid > 0) {
      log.accept(
          unsaid
              + " more connections were closed within "
              + WINDOW_SECONDS
              + " seconds for such reasons");
    }
  }
}
