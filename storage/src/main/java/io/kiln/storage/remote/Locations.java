package io.kiln.storage.remote;

import java.io.IOException;

/// Where other processes' data are, as the driver knows it. Asked by tasks and by threads that
/// work for them; may block. Thread-safe.
public interface Locations {
  /// @throws IOException if the driver can't be asked
  MapOutputLocations mapOutputs(int shuffleId) throws IOException, InterruptedException;
}
