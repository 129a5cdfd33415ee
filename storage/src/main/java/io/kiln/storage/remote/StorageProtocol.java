package io.kiln.storage.remote;

import io.kiln.network.codec.RecordCodec;
import io.kiln.shuffle.server.ShuffleProtocol;
import java.util.List;

/// The records by which the storages of processes speak with each other. The names that they use,
/// such as [io.kiln.protocol.BlockId], are registered by [io.kiln.protocol.ExecutorProtocol].
public final class StorageProtocol {

  private StorageProtocol() {}

  /// Adds them, and those of [ShuffleProtocol], under numbers from 100 to 199.
  public static RecordCodec.Builder register(RecordCodec.Builder builder) {
    return ShuffleProtocol.register(builder)
        .addAll(106, List.of(StorageRequest.ReadBlock.class, StorageRequest.CopyBlock.class))
        .add(109, StorageRequest.DescribeBroadcast.class);
  }
}
