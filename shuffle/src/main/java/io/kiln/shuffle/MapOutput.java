package io.kiln.shuffle;

import java.util.Arrays;

/// What a map task has written.
///
/// @param partitionBytes for each reduce partition, as stored; nobody changes it
/// @param records written, after combining
public record MapOutput(int shuffleId, int mapPartition, long[] partitionBytes, long records) {

  public long bytes() {
    return Arrays.stream(partitionBytes).sum();
  }
}
