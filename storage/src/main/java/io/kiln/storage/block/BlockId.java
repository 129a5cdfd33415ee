package io.kiln.storage.block;

/// Names a block, in the application.
public sealed interface BlockId {

  /// A partition of a persisted RDD.
  record RddBlock(int rddId, int partition) implements BlockId {
    @Override
    public String toString() {
      return "rdd-" + rddId + "-" + partition;
    }
  }

  /// The value of a broadcast.
  record BroadcastBlock(long broadcastId) implements BlockId {
    @Override
    public String toString() {
      return "broadcast-" + broadcastId;
    }
  }

  /// Whether storing one must not push out the other: partitions of one RDD would only replace each
  /// other.
  default boolean isSibling(BlockId other) {
    return this instanceof RddBlock(int rddId, _)
        && other instanceof RddBlock(int otherRddId, _)
        && rddId == otherRddId;
  }
}
