package io.kiln.network.transport;

import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;

/// The connections that came from outside and are not believed yet. When there are too many, the
/// oldest of those that have said nothing is closed, or else the oldest: whoever opens connections
/// and says nothing can't keep others out. Thread-safe.
final class PendingConnections {
  static final int MAX = 1024;

  /// Tells a connection that it has to go.
  record Crowded(String why) {}

  private static final Crowded CROWDED =
      new Crowded("more than " + MAX + " had not introduced themselves, and its turn had come");

  private final LinkedHashSet<Channel> silent = new LinkedHashSet<>();
  private final LinkedHashSet<Channel> speaking = new LinkedHashSet<>();

  void add(Channel channel) {
    ArrayDeque<Channel> tooMany = new ArrayDeque<>();
    synchronized (this) {
      silent.add(channel);
      while (silent.size() + speaking.size() > MAX) {
        // the new one itself is not yet silent for long
        tooMany.add(silent.size() > 1 ? silent.removeFirst() : speaking.removeFirst());
      }
    }
    for (Channel crowded : tooMany) {
      crowded.pipeline().fireUserEventTriggered(CROWDED);
      crowded.close();
    }
    channel.closeFuture().addListener(_ -> remove(channel));
  }

  /// The connection's first bytes have come.
  synchronized void spoke(Channel channel) {
    if (silent.remove(channel)) {
      speaking.add(channel);
    }
  }

  synchronized void remove(Channel channel) {
    silent.remove(channel);
    speaking.remove(channel);
  }
}
