package io.kiln.network.transport;

/// Finds what a peer asks for by a stream. Called on a virtual thread; may block.
@FunctionalInterface
public interface ContentSource {
  /// @param request a registered record
  /// @throws Exception why there is nothing; a `KilnException` reaches the peer with its code
  Content open(Peer from, Record request) throws Exception;
}
