package io.kiln.network.transport;

/// Answers what is asked of an endpoint. Called on a virtual thread for each question; may block.
@FunctionalInterface
public interface Responder {
  /// @return a registered record
  /// @throws Exception why there is no answer; a `KilnException` reaches the asker with its code
  Record answer(Link from, Record question) throws Exception;
}
