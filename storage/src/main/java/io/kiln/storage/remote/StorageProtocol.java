package io.kiln.storage.remote;

import io.kiln.network.codec.RecordCodec;
import io.kiln.storage.shuffle.OutputOrigin;
import java.util.List;

/// The records by which the storages of processes speak with each other. The names that they use,
/// such as [io.kiln.protocol.BlockId], are registered by [io.kiln.protocol.ExecutorProtocol].
public final class StorageProtocol {

  private StorageProtocol() {}

  /// Adds them, under numbers from 100 to 199.
  public static RecordCodec.Builder register(RecordCodec.Builder builder) {
    return builder
        .addAll(102, List.of(StorageRequest.FetchShuffle.class, StorageRequest.CheckShuffle.class))
        .addAll(106, List.of(StorageRequest.ReadBlock.class, StorageRequest.CopyBlock.class))
        .addAll(
            109,
            List.of(
                StorageRequest.DescribeBroadcast.class,
                StorageRequest.CopyOutput.class,
                OutputOrigin.class));
  }
}
