package io.kiln.storage.shuffle;

import io.kiln.shuffle.ShuffleStore;
import java.util.stream.IntStream;

/// The map outputs of this process, as if there were no other. Thread-safe.
public record OwnMapOutputs(ShuffleStore store) implements MapOutputSource {

  @Override
  public StoredRuns open(TaskResources resources, ShuffleRange range) {
    return new OwnRuns(resources, store, range, IntStream.range(0, range.numMaps()).iterator());
  }
}
