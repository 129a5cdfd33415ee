package io.kiln.http;

import java.time.Duration;

/// What a server of HTTP takes from clients at most. Whoever is not believed yet costs no more than
/// this, whatever he sends and however slowly.
///
/// @param connections at once; with one more, the oldest that waits for a request is closed
/// @param connectionsOfOneAddress likewise
/// @param lineBytes of a request's first line
/// @param headerBytes of all its headers
/// @param bodyBytes of all the bodies that are being received or looked at
/// @param requestWithin a request must be complete, from when the connection is there or from its
///     headers
/// @param idle how long a connection may wait for its next request
/// @param responseWithin an answer must have been taken
public record HttpBounds(
    int connections,
    int connectionsOfOneAddress,
    int lineBytes,
    int headerBytes,
    long bodyBytes,
    Duration requestWithin,
    Duration idle,
    Duration responseWithin) {
  private static final int HEAP_FRACTION = 16;
  private static final long MAX_BODY_BYTES = 64L << 20;

  /// What suits a process's own pages and requests.
  public static HttpBounds usual() {
    return new HttpBounds(
        512,
        256,
        4 << 10,
        8 << 10,
        Math.min(Runtime.getRuntime().maxMemory() / HEAP_FRACTION, MAX_BODY_BYTES),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60));
  }
}
