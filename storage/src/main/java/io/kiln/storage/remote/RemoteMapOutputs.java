package io.kiln.storage.remote;

import io.kiln.shuffle.ShuffleStore;
import io.kiln.storage.shuffle.MapOutputSource;
import io.kiln.storage.shuffle.ShuffleRange;
import io.kiln.storage.shuffle.StoredRuns;
import io.kiln.storage.shuffle.TaskResources;

/// The map outputs of all processes. Thread-safe.
public final class RemoteMapOutputs implements MapOutputSource {
  private final ShuffleStore own;
  private final Peers peers;

  public RemoteMapOutputs(ShuffleStore own, Peers peers) {
    this.own = own;
    this.peers = peers;
  }

  @Override
  public StoredRuns open(TaskResources resources, ShuffleRange range) {
    return new RemoteRuns(resources, own, peers, range);
  }
}
