package io.kiln.bench.transport;

import java.io.IOException;

/// Two ends of a connection in this process, by which messages go there and back and a file's bytes
/// come. Used by one thread.
interface Carrier extends AutoCloseable {
  /// The word in the report.
  String engine();

  /// Sends small messages that come back, and returns when all have.
  ///
  /// @param inFlight how many are under way at a time
  void exchange(int inFlight, int messages) throws InterruptedException;

  /// @return how many bytes have come
  long stream() throws IOException, InterruptedException;

  @Override
  void close();
}
