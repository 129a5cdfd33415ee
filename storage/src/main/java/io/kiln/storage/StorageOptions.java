package io.kiln.storage;

import io.kiln.storage.compression.CompressionOptions;
import io.kiln.storage.compression.FrameKey;
import io.kiln.storage.serializer.SerializerChoice;
import java.nio.file.Path;
import java.util.List;

/// What a process's storage is opened with.
///
/// @param memory how much memory the engine may plan with
/// @param localDirectories where blocks, shuffles and spills go: at least one; each gets a
///     directory of its own that is removed at close
/// @param compression what is compressed, and how
/// @param serializer what writes records
/// @param diskWriteBufferBytes how much is gathered before a file is written to, from 4 KiB
///     (`spark.shuffle.file.buffer`)
public record StorageOptions(
    MemoryOptions memory,
    List<Path> localDirectories,
    CompressionOptions compression,
    SerializerChoice serializer,
    int diskWriteBufferBytes) {
  /// Enough that the cost of a system call doesn't matter, small enough to stay in cache.
  public static final int DEFAULT_DISK_WRITE_BUFFER_BYTES = 256 << 10;

  public StorageOptions {
    localDirectories = List.copyOf(localDirectories);
    if (localDirectories.isEmpty()) {
      throw new IllegalArgumentException("storage needs at least one local directory");
    }
    if (diskWriteBufferBytes < 4096) {
      throw new IllegalArgumentException(
          "the disk write buffer must have at least 4096 bytes, not " + diskWriteBufferBytes);
    }
  }

  /// The defaults, with the heap of this process.
  public static StorageOptions in(Path... localDirectories) {
    return new StorageOptions(
        MemoryOptions.ofHeap(Runtime.getRuntime().maxMemory()),
        List.of(localDirectories),
        CompressionOptions.DEFAULT,
        SerializerChoice.KILN,
        DEFAULT_DISK_WRITE_BUFFER_BYTES);
  }

  public StorageOptions withMemory(MemoryOptions newMemory) {
    return new StorageOptions(
        newMemory, localDirectories, compression, serializer, diskWriteBufferBytes);
  }

  public StorageOptions withCompression(CompressionOptions newCompression) {
    return new StorageOptions(
        memory, localDirectories, newCompression, serializer, diskWriteBufferBytes);
  }

  /// Encrypts all that is stored.
  public StorageOptions withKey(FrameKey key) {
    return withCompression(compression.withKey(key));
  }

  public StorageOptions withSerializer(SerializerChoice newSerializer) {
    return new StorageOptions(
        memory, localDirectories, compression, newSerializer, diskWriteBufferBytes);
  }

  /// How much memory the engine may plan with. The rest of the heap is the user's.
  ///
  /// @param heapBytes of the process
  /// @param reservedBytes of the heap that nobody plans with; on a small heap it is at most two
  ///     thirds
  /// @param fraction of what is left, for execution and storage together (`spark.memory.fraction`)
  /// @param storageFraction of that, which execution can't take from stored blocks
  ///     (`spark.memory.storageFraction`)
  /// @param offHeapBytes outside the heap (`spark.memory.offHeap.size`); 0 for none
  public record MemoryOptions(
      long heapBytes,
      long reservedBytes,
      double fraction,
      double storageFraction,
      long offHeapBytes) {
    public static final long DEFAULT_RESERVED_BYTES = 300L << 20;

    public MemoryOptions {
      if (heapBytes <= 0 || reservedBytes < 0 || offHeapBytes < 0) {
        throw new IllegalArgumentException("sizes of memory can't be negative");
      }
      if (!(fraction > 0 && fraction <= 1)) {
        throw new IllegalArgumentException(
            "spark.memory.fraction must be above 0 and at most 1, not " + fraction);
      }
      if (!(storageFraction >= 0 && storageFraction <= 1)) {
        throw new IllegalArgumentException(
            "spark.memory.storageFraction must be from 0 to 1, not " + storageFraction);
      }
    }

    public static MemoryOptions ofHeap(long heapBytes) {
      return new MemoryOptions(heapBytes, DEFAULT_RESERVED_BYTES, 0.6, 0.5, 0);
    }

    /// Exactly this much for execution and storage together.
    public static MemoryOptions ofEngine(long engineBytes) {
      return new MemoryOptions(engineBytes, 0, 1, 0.5, 0);
    }

    public MemoryOptions withOffHeap(long newOffHeapBytes) {
      return new MemoryOptions(
          heapBytes, reservedBytes, fraction, storageFraction, newOffHeapBytes);
    }

    /// For execution and storage together.
    public long engineBytes() {
      long reserved = Math.min(reservedBytes, heapBytes / 3 * 2);
      return (long) ((heapBytes - reserved) * fraction);
    }
  }
}
