package io.kiln.network.transport;

import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;

/// The connections that came from outside and are not believed yet. When there are too many, the
/// oldest is closed: whoever opens connections and says nothing can't keep others out. Thread-safe.
final class PendingConnections {
  static final int MAX = 1024;

  private final LinkedHashSet<Channel> pending = new LinkedHashSet<>();

  void add(Channel channel) {
    ArrayDeque<Channel> tooOld = new ArrayDeque<>();
    synchronized (this) {
      pending.add(channel);
      while (pending.size() > MAX) {
        tooOld.add(pending.removeFirst());
      }
    }
    tooOld.forEach(Channel::close);
    channel.closeFuture().addListener(_ -> remove(channel));
  }

  synchronized void remove(Channel channel) {
    pending.remove(channel);
  }
}
