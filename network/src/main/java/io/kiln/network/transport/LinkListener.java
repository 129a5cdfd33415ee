package io.kiln.network.transport;

/// Hears of connections for messages. Called on a thread that moves bytes; must not block.
public interface LinkListener {
  LinkListener NONE = new LinkListener() {};

  /// Both sides believe each other.
  default void linkOpened(Link link) {}

  /// Nothing more will come or go by it. What was sent last may not have arrived.
  ///
  /// @param why one line
  default void linkClosed(Link link, String why) {}
}
