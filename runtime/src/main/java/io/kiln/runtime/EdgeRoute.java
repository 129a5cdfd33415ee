package io.kiln.runtime;

import io.kiln.base.machine.Message;
import java.util.ArrayList;
import java.util.List;

/// An edge of this host, and what the current turn has sent there.
final class EdgeRoute implements Route {
  private final Edge edge;
  private List<Message> pending = new ArrayList<>(2);

  EdgeRoute(Edge edge) {
    this.edge = edge;
  }

  /// @return whether it is the first since the last delivery
  boolean add(Message message) {
    pending.add(message);
    return pending.size() == 1;
  }

  void deliver() {
    List<Message> batch = pending;
    pending = new ArrayList<>(2);
    edge.deliver(batch);
  }
}
