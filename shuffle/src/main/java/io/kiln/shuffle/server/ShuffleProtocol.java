package io.kiln.shuffle.server;

import io.kiln.network.codec.RecordCodec;
import io.kiln.shuffle.OutputOrigin;
import java.util.List;

/// The records by which map outputs are asked for. The names that they use, such as
/// [io.kiln.protocol.DataHolder], are registered by [io.kiln.protocol.ExecutorProtocol].
public final class ShuffleProtocol {

  private ShuffleProtocol() {}

  /// Adds them, under numbers from 150 to 199.
  public static RecordCodec.Builder register(RecordCodec.Builder builder) {
    return builder.addAll(
        150,
        List.of(
            ShuffleRequest.FetchShuffle.class,
            ShuffleRequest.CheckShuffle.class,
            ShuffleRequest.CopyOutput.class,
            OutputOrigin.class));
  }
}
