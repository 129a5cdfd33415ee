package io.kiln.storage.remote;

import io.kiln.protocol.BlockId;
import io.kiln.protocol.DataHolder;
import io.kiln.protocol.MapOutputLocations;
import java.io.IOException;
import java.util.List;

/// Where other processes' data are, as the driver knows it. Asked by tasks and by threads that
/// work for them; may block. Thread-safe.
public interface Locations {
  /// @throws IOException if the driver can't be asked
  MapOutputLocations mapOutputs(int shuffleId) throws IOException, InterruptedException;

  /// Who has the block, this process among them if it does.
  ///
  /// @throws IOException if the driver can't be asked
  List<DataHolder> holders(BlockId id) throws IOException, InterruptedException;

  /// The executors that can be asked to keep copies; this process may be among them.
  ///
  /// @throws IOException if the driver can't be asked
  List<DataHolder> peers() throws IOException, InterruptedException;

  /// The driver, which owns all broadcasts.
  DataHolder driver();
}
