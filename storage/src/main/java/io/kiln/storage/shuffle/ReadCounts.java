package io.kiln.storage.shuffle;

import io.kiln.api.listener.TaskMetrics.Blocks;
import io.kiln.api.listener.TaskMetrics.ShuffleRead;

/// What a task has read of shuffles, so far. Thread-safe: several threads fetch for it.
public final class ReadCounts {
  // guarded by this
  private long records;
  private long localBlocks;
  private long localBytes;
  private long remoteBlocks;
  private long remoteBytes;
  private long remoteToDiskBytes;
  private long waitNanos;
  private long requests;
  private long requestNanos;

  synchronized void addRecords(long count) {
    records += count;
  }

  synchronized void addLocalBlock(long bytes) {
    localBlocks++;
    localBytes += bytes;
  }

  public synchronized void addRemoteBlocks(long count, long bytes) {
    remoteBlocks += count;
    remoteBytes += bytes;
  }

  /// One that came by a file, for its size.
  public synchronized void addRemoteBlockToDisk(long bytes) {
    addRemoteBlocks(1, bytes);
    remoteToDiskBytes += bytes;
  }

  /// The task waited.
  public synchronized void addWait(long nanos) {
    waitNanos += nanos;
  }

  /// Another process was asked, and what it had has come or not.
  public synchronized void addRequest(long nanos) {
    requests++;
    requestNanos += nanos;
  }

  public synchronized ShuffleRead soFar() {
    return new ShuffleRead(
        records,
        new Blocks(localBlocks, localBytes),
        new Blocks(remoteBlocks, remoteBytes),
        remoteToDiskBytes,
        waitNanos,
        requests,
        requestNanos);
  }
}
