package io.kiln.network.transport;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;

/// The connections that came from outside and are not believed yet. When there are too many, one of
/// the address that has most is closed: the oldest that has said nothing, or else the oldest.
/// Whoever opens connections and says nothing, or nothing but the beginning of a hand-shake, can't
/// keep others out. Thread-safe.
final class PendingConnections {
  static final int MAX = 1024;

  /// Tells a connection that it has to go.
  record Crowded(String why) {}

  private static final Crowded CROWDED =
      new Crowded("more than " + MAX + " had not introduced themselves, and its turn had come");

  /// Of one address.
  private static final class Origin {
    final LinkedHashSet<Channel> silent = new LinkedHashSet<>();
    final LinkedHashSet<Channel> speaking = new LinkedHashSet<>();

    int size() {
      return silent.size() + speaking.size();
    }

    Channel removeOne() {
      // the newest itself is not yet silent for long
      return silent.size() > 1 || speaking.isEmpty()
          ? silent.removeFirst()
          : speaking.removeFirst();
    }
  }

  // guarded by this; an address is here while it has connections
  private final Map<Object, Origin> origins = new HashMap<>();
  private int size;

  void add(Channel channel) {
    Optional<Channel> crowded;
    synchronized (this) {
      origins.computeIfAbsent(origin(channel), _ -> new Origin()).silent.add(channel);
      size++;
      crowded = size > MAX ? Optional.of(removeOne()) : Optional.empty();
    }
    crowded.ifPresent(
        each -> {
          each.pipeline().fireUserEventTriggered(CROWDED);
          each.close();
        });
    channel.closeFuture().addListener(_ -> remove(channel));
  }

  private Channel removeOne() {
    Map.Entry<Object, Origin> largest =
        origins.entrySet().stream()
            .max(Comparator.comparingInt(each -> each.getValue().size()))
            .orElseThrow();
    Channel removed = largest.getValue().removeOne();
    size--;
    forgetIfEmpty(largest.getKey(), largest.getValue());
    return removed;
  }

  /// Whose connections count together.
  static Object origin(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress internet
            && internet.getAddress() != null
        ? internet.getAddress()
        : PendingConnections.class;
  }

  /// The connection's first bytes have come.
  synchronized void spoke(Channel channel) {
    Origin origin = origins.get(origin(channel));
    if (origin != null && origin.silent.remove(channel)) {
      origin.speaking.add(channel);
    }
  }

  synchronized void remove(Channel channel) {
    Object key = origin(channel);
    Origin origin = origins.get(key);
    if (origin != null && (origin.silent.remove(channel) || origin.speaking.remove(channel))) {
      size--;
      forgetIfEmpty(key, origin);
    }
  }

  private void forgetIfEmpty(Object key, Origin origin) {
    if (origin.size() == 0) {
      origins.remove(key);
    }
  }
}
