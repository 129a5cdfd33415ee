package io.kiln.network.transport;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Who in this process is reached under which name. Thread-safe.
final class Endpoints {
  private final Map<String, Receiver> receivers = new ConcurrentHashMap<>();
  private final Map<String, Responder> responders = new ConcurrentHashMap<>();

  void addReceiver(String name, Receiver receiver) {
    if (receivers.putIfAbsent(name, receiver) != null) {
      throw new IllegalArgumentException("somebody receives at " + name + " already");
    }
  }

  void addResponder(String name, Responder responder) {
    if (responders.putIfAbsent(name, responder) != null) {
      throw new IllegalArgumentException("somebody answers at " + name + " already");
    }
  }

  void remove(String name) {
    receivers.remove(name);
    responders.remove(name);
  }

  Optional<Receiver> receiver(String name) {
    return Optional.ofNullable(receivers.get(name));
  }

  Optional<Responder> responder(String name) {
    return Optional.ofNullable(responders.get(name));
  }
}
