package io.kiln.storage.block;

import io.kiln.api.StorageLevel;
import io.kiln.protocol.BlockId;
import io.kiln.storage.memory.TaskMemory;
import java.util.Iterator;
import java.util.Optional;

/// The blocks of other processes. Thread-safe.
public interface OtherBlocks {
  /// For a process without others.
  OtherBlocks NONE =
      new OtherBlocks() {
        @Override
        public Optional<Iterator<Object>> records(BlockId id, TaskMemory task) {
          return Optional.empty();
        }

        @Override
        public void copy(BlockId id, StorageLevel level, TaskMemory task) {}
      };

  /// The block's records, if another process has them. They come while they are read; a process
  /// that breaks off then is an [java.io.UncheckedIOException].
  ///
  /// @param task that asks; once it is killed, nothing more comes
  Optional<Iterator<Object>> records(BlockId id, TaskMemory task) throws InterruptedException;

  /// The block was stored here: makes as many copies elsewhere as its level asks for. That there
  /// are fewer is said in the log.
  ///
  /// @param task that stored it; once it is killed, there are no more
  void copy(BlockId id, StorageLevel level, TaskMemory task) throws InterruptedException;
}
