package io.kiln.http;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// What all the connections of one server hold together, and who has to go where that is too much:
/// the oldest that waits for a request. One whose request is complete is never cut off, so that
/// somebody with something to say gets through among a thousand that say nothing. Thread-safe.
final class Connections {
  private final HttpBounds bounds;

  // guarded by this
  private final Map<Channel, Object> all = new HashMap<>();
  private final Map<Object, Integer> counts = new HashMap<>();
  private final LinkedHashSet<Channel> waiting = new LinkedHashSet<>();

  private final AtomicLong bodyBytes = new AtomicLong();

  Connections(HttpBounds bounds) {
    this.bounds = bounds;
  }

  /// A connection has come, and waits for its first request; or another has to go, or itself.
  void add(Channel channel) {
    Object origin = origin(channel);
    Optional<Channel> tooMany = Optional.empty();
    synchronized (this) {
      all.put(channel, origin);
      waiting.add(channel);
      int ofOrigin = counts.merge(origin, 1, Integer::sum);
      if (ofOrigin > bounds.connectionsOfOneAddress()) {
        tooMany = waiting.stream().filter(each -> origin.equals(all.get(each))).findFirst();
      } else if (all.size() > bounds.connections()) {
        tooMany = Optional.of(waiting.getFirst());
      }
      tooMany.ifPresent(this::forget);
    }
    tooMany.ifPresent(Channel::close);
    channel
        .closeFuture()
        .addListener(
            _ -> {
              synchronized (this) {
                forget(channel);
              }
            });
  }

  private void forget(Channel channel) {
    Object origin = all.remove(channel);
    waiting.remove(channel);
    if (origin != null) {
      counts.computeIfPresent(origin, (_, count) -> count == 1 ? null : count - 1);
    }
  }

  /// Its request is complete.
  synchronized void answers(Channel channel) {
    waiting.remove(channel);
  }

  /// It has been answered.
  synchronized void waits(Channel channel) {
    if (all.containsKey(channel)) {
      waiting.add(channel);
    }
  }

  /// @return whether there is room for so much more of bodies; to be given back
  boolean takeBody(int bytes) {
    if (bodyBytes.addAndGet(bytes) <= bounds.bodyBytes()) {
      return true;
    }
    bodyBytes.addAndGet(-bytes);
    return false;
  }

  void giveBackBody(int bytes) {
    bodyBytes.addAndGet(-bytes);
  }

  static Object origin(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress internet
            && internet.getAddress() != null
        ? internet.getAddress()
        : Connections.class;
  }
}
