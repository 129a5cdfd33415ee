package io.kiln.storage;

import io.kiln.storage.serializer.ObjectSerializer;
import java.util.Optional;

/// All that one executor process keeps: memory, blocks, map outputs, local directories. One a
/// process and application. Thread-safe.
@SuppressWarnings("DoNotCallSuggester") // until the bodies arrive
public final class LocalStorage implements AutoCloseable {

  private LocalStorage() {}

  /// @param applicationLoader finds the user's classes
  /// @throws io.kiln.api.KilnException with code `LOCAL_DIR_UNUSABLE` if no local directory can be
  ///     written to
  public static LocalStorage open(StorageOptions options, ClassLoader applicationLoader) {
    throw new UnsupportedOperationException(options + " " + applicationLoader);
  }

  /// @param taskAttemptId unique in the application
  public TaskStorage forTask(long taskAttemptId) {
    throw new UnsupportedOperationException("forTask " + taskAttemptId);
  }

  public ObjectSerializer serializer() {
    throw new UnsupportedOperationException("serializer");
  }

  /// Keeps a broadcast value for this process: in memory while there is room, else on disk.
  public void putBroadcast(long broadcastId, Object value) {
    throw new UnsupportedOperationException("putBroadcast " + broadcastId + value);
  }

  /// @return empty if it isn't kept here
  public Optional<Object> broadcast(long broadcastId) {
    throw new UnsupportedOperationException("broadcast " + broadcastId);
  }

  public void removeBroadcast(long broadcastId) {
    throw new UnsupportedOperationException("removeBroadcast " + broadcastId);
  }

  /// Whether a block of the RDD is kept here, in memory or on disk.
  public boolean holds(int rddId, int partition) {
    throw new UnsupportedOperationException("holds " + rddId + partition);
  }

  /// Whether a committed output of the map task is here.
  public boolean holdsMapOutput(int shuffleId, int mapPartition) {
    throw new UnsupportedOperationException("holdsMapOutput " + shuffleId + mapPartition);
  }

  /// Drops the RDD's blocks. Tasks that read one of them go on.
  public void removeRdd(int rddId) {
    throw new UnsupportedOperationException("removeRdd " + rddId);
  }

  /// Drops the shuffle's outputs and files.
  public void removeShuffle(int shuffleId) {
    throw new UnsupportedOperationException("removeShuffle " + shuffleId);
  }

  public StorageStatus status() {
    throw new UnsupportedOperationException("status");
  }

  /// Removes all blocks, outputs and directories. Idempotent. Tasks must have ended.
  @Override
  public void close() {}
}
