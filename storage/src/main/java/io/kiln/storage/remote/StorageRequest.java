package io.kiln.storage.remote;

import io.kiln.api.StorageLevel;
import io.kiln.protocol.BlockId;
import io.kiln.protocol.DataHolder;

/// What a [BlockServer] is asked about blocks and broadcasts.
public sealed interface StorageRequest {

  /// A block's bytes, as a [CheckedContent].
  record ReadBlock(BlockId id) implements StorageRequest {}

  /// To get the block from where it was stored and keep a copy: one byte, 1 if it is there now, 0
  /// if there is no room.
  record CopyBlock(BlockId id, StorageLevel level, DataHolder from) implements StorageRequest {}

  /// What pieces a broadcast has: a [BroadcastLayout].
  record DescribeBroadcast(long id) implements StorageRequest {}
}
