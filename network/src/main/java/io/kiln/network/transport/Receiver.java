package io.kiln.network.transport;

import io.kiln.base.machine.Message;

/// Takes what is sent to an endpoint. Called by one thread at a time for each connection, in the
/// order in which the peer sent; must not block.
@FunctionalInterface
public interface Receiver {
  /// @param from answers go back through it
  void receive(Link from, Message message);
}
