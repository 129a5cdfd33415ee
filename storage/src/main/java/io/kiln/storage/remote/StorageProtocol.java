package io.kiln.storage.remote;

import io.kiln.network.codec.RecordCodec;
import io.kiln.storage.block.BlockId;
import io.kiln.storage.shuffle.OutputOrigin;
import java.util.List;

/// The records by which the storages of processes speak with each other, and those of them that
/// others may use in their own messages.
public final class StorageProtocol {
  private static final int FIRST_ID = 100;

  private StorageProtocol() {}

  /// Adds them, under numbers from 100 to 199.
  public static RecordCodec.Builder register(RecordCodec.Builder builder) {
    return builder.addAll(
        FIRST_ID,
        List.of(
            DataHolder.class,
            MapOutputLocations.class,
            StorageRequest.FetchShuffle.class,
            StorageRequest.CheckShuffle.class,
            BlockId.RddBlock.class,
            BlockId.BroadcastBlock.class,
            StorageRequest.ReadBlock.class,
            StorageRequest.CopyBlock.class,
            BlockId.BroadcastPiece.class,
            StorageRequest.DescribeBroadcast.class,
            StorageRequest.CopyOutput.class,
            OutputOrigin.class));
  }
}
