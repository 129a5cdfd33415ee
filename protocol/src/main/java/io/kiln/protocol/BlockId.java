package io.kiln.protocol;

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

  /// A piece of a broadcast's serialised value.
  record BroadcastPiece(long broadcastId, int piece) implements BlockId {
    @Override
    public String toString() {
      return "broadcast-" + broadcastId + "-piece-" + piece;
    }
  }

  /// Whether it is the value of the broadcast or a piece of it.
  default boolean isOfBroadcast(long id) {
    return switch (this) {
      case BroadcastBlock(long broadcastId) -> broadcastId == id;
      case BroadcastPiece(long broadcastId, _) -> broadcastId == id;
      case RddBlock _ -> false;
    };
  }

  /// Whether storing one must not push out the other: partitions of one RDD would only replace each
  /// other, as would pieces of one broadcast.
  default boolean isSibling(BlockId other) {
    return switch (this) {
      case RddBlock(int rddId, _) ->
          other instanceof RddBlock(int otherRddId, _) && rddId == otherRddId;
      case BroadcastPiece(long broadcastId, _) -> other.isOfBroadcast(broadcastId);
      case BroadcastBlock _ -> false;
    };
  }
}
