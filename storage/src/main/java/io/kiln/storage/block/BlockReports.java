package io.kiln.storage.block;

import io.kiln.protocol.BlockId;
import java.util.List;

/// Hears which blocks this process has, apart from the values of broadcasts. Called in the order of
/// the changes, under a lock of the store: must neither block nor call back.
@FunctionalInterface
public interface BlockReports {
  /// For a process without others.
  BlockReports NOBODY =
      new BlockReports() {
        @Override
        public void blocksChanged(List<BlockId> added, List<BlockId> removed) {}
      };

  /// A block that a task stored is reported before the task ends.
  ///
  /// @param removed by anyone, or pushed out for want of memory; one that was moved to disk stays
  void blocksChanged(List<BlockId> added, List<BlockId> removed);
}
