package io.kiln.storage.shuffle;

import io.kiln.storage.memory.TaskMemory;
import java.io.IOException;

/// Asks for a growing collection's memory in steps, so that the shared lock is rarely taken. Used
/// by the task's thread.
///
/// The first [#FREE_BYTES], or a sixteenth of what there is, need no permission: a small task never
/// asks, and a collection that gets no memory at all still goes on.
final class MemoryGate implements AutoCloseable {
  static final long FREE_BYTES = 128 << 10;
  private static final long SMALLEST_FREE_PART = 16;
  private static final long MAX_STEP_BYTES = 32L << 20;

  private final TaskMemory memory;
  private final TaskMemory.Reservation reservation;
  private final long freeBytes;

  MemoryGate(TaskMemory memory, String holder, TaskMemory.Spiller spiller) {
    this.memory = memory;
    this.reservation = memory.reservation(holder, spiller);
    this.freeBytes = Math.min(FREE_BYTES, memory.totalBytes() / SMALLEST_FREE_PART);
  }

  /// @return whether the collection may take `bytes` in all
  boolean allows(long bytes) throws IOException {
    memory.throwIfCancelled();
    if (bytes <= freeBytes || bytes <= reservation.bytes()) {
      return true;
    }
    long step = Math.min(bytes, MAX_STEP_BYTES);
    return reservation.growTo(bytes + step) || reservation.growTo(bytes);
  }

  /// The collection is complete and is being read.
  void beginReading() {
    reservation.allowToStayOpen();
  }

  /// The collection is empty now.
  ///
  /// @return how much was given back
  long releaseAll() {
    long held = reservation.bytes();
    reservation.shrinkTo(0);
    return held;
  }

  @Override
  public void close() {
    reservation.close();
  }
}
