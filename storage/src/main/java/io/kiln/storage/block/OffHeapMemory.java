package io.kiln.storage.block;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// Memory outside the heap, up to a limit (`spark.memory.offHeap.size`). Thread-safe.
final class OffHeapMemory {
  private final long limitBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  OffHeapMemory(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  boolean isOff() {
    return limitBytes == 0;
  }

  long usedBytes() {
    return usedBytes.get();
  }

  /// @return empty if there is no room
  Optional<MemorySegment> copy(List<byte[]> pieces, long totalBytes) {
    if (usedBytes.addAndGet(totalBytes) > limitBytes) {
      usedBytes.addAndGet(-totalBytes);
      return Optional.empty();
    }
    MemorySegment memory;
    try {
      memory = Arena.ofAuto().allocate(totalBytes);
    } catch (OutOfMemoryError e) {
      usedBytes.addAndGet(-totalBytes);
      return Optional.empty();
    }
    long at = 0;
    for (byte[] piece : pieces) {
      MemorySegment.copy(piece, 0, memory, ValueLayout.JAVA_BYTE, at, piece.length);
      at += piece.length;
    }
    return Optional.of(memory);
  }

  void release(long bytes) {
    usedBytes.addAndGet(-bytes);
  }
}
