package io.kiln.storage.block;

import io.kiln.api.StorageLevel;
import io.kiln.protocol.BlockId;

/// A block that is kept.
///
/// @param memoryBytes that it holds of the engine's heap memory; 0 if it lies elsewhere
record Block(BlockId id, StorageLevel level, BlockContent content, long memoryBytes) {

  long offHeapBytes() {
    return content instanceof BlockContent.OffHeapFrames frames ? frames.frames().byteSize() : 0;
  }

  long diskBytes() {
    return content instanceof BlockContent.OnDisk disk ? disk.segment().length() : 0;
  }
}
