package io.kiln.api.listener;

/// Says what a task has used: so far while it runs, and in all once it has ended.
///
/// @param resultSizeBytes how large the result is that the task gave to the driver; 0 before that
/// @param peakMemoryBytes the most memory that its tables, sorts and buffers held at once
public record TaskMetrics(
    Times times,
    long resultSizeBytes,
    long peakMemoryBytes,
    ShuffleRead shuffleRead,
    ShuffleWrite shuffleWrite,
    Spill spill) {

  /// The metrics of a task that has used nothing, or of which nothing is known.
  public static final TaskMetrics NONE =
      new TaskMetrics(Times.NONE, 0, 0, ShuffleRead.NONE, ShuffleWrite.NONE, Spill.NONE);

  public TaskMetrics withTimes(Times taken) {
    return new TaskMetrics(
        taken, resultSizeBytes, peakMemoryBytes, shuffleRead, shuffleWrite, spill);
  }

  public TaskMetrics withResultSizeBytes(long sizeBytes) {
    return new TaskMetrics(times, sizeBytes, peakMemoryBytes, shuffleRead, shuffleWrite, spill);
  }

  /// Says where a task's time went. The parts are measured only while somebody listens. Otherwise
  /// all the time is `runNanos`, and the other parts are 0.
  ///
  /// @param deserializeNanos how long it took to restore the task's work and its partition, and to
  ///     fetch what the application has brought
  /// @param deserializeCpuNanos the processor time of the task's thread in that time
  /// @param runNanos how long the task ran, without deserialising and without serialising the
  ///     result
  /// @param cpuNanos the processor time of the task's thread in that time
  /// @param gcMillis how long the process collected garbage in that time, of whichever task
  /// @param resultSerializeNanos how long it took to serialise the result
  public record Times(
      long deserializeNanos,
      long deserializeCpuNanos,
      long runNanos,
      long cpuNanos,
      long gcMillis,
      long resultSerializeNanos) {
    public static final Times NONE = new Times(0, 0, 0, 0, 0, 0);

    /// Makes the times of a task whose parts were not measured.
    public static Times ofRun(long nanos) {
      return new Times(0, 0, nanos, 0, 0, 0);
    }

    /// Returns how long the task had its slot.
    public long totalNanos() {
      return deserializeNanos + runNanos + resultSerializeNanos;
    }

    public long runMillis() {
      return runNanos / 1_000_000;
    }
  }

  /// Says what a task read of shuffles. A block is what one map task wrote for one reduce
  /// partition; empty blocks don't count. Bytes count as stored.
  ///
  /// @param records how many records it read, before combining
  /// @param local the blocks that came from the task's own process
  /// @param remote the blocks that came from other processes
  /// @param remoteToDiskBytes how many of those bytes went to disk first, as they were too large
  ///     for memory
  /// @param waitNanos how long the task waited for blocks that had not come yet
  /// @param requests how often the task asked other processes
  /// @param requestNanos how long those requests took, added up; several run at a time
  public record ShuffleRead(
      long records,
      Blocks local,
      Blocks remote,
      long remoteToDiskBytes,
      long waitNanos,
      long requests,
      long requestNanos) {
    public static final ShuffleRead NONE = new ShuffleRead(0, Blocks.NONE, Blocks.NONE, 0, 0, 0, 0);

    public long bytes() {
      return local.bytes + remote.bytes;
    }
  }

  /// Says how many blocks there are, and how large they are together.
  public record Blocks(long count, long bytes) {
    public static final Blocks NONE = new Blocks(0, 0);
  }

  /// Says what a task wrote for a shuffle, once that was complete.
  ///
  /// @param records how many records it wrote, after combining
  /// @param bytes how many bytes it wrote, as stored
  /// @param nanos how long the file system took to write them
  public record ShuffleWrite(long records, long bytes, long nanos) {
    public static final ShuffleWrite NONE = new ShuffleWrite(0, 0, 0);
  }

  /// Says what a task put on disk for want of memory.
  ///
  /// @param memoryBytes an estimate of how much memory that freed
  /// @param diskBytes how many bytes it wrote, as stored
  public record Spill(long memoryBytes, long diskBytes) {
    public static final Spill NONE = new Spill(0, 0);
  }
}
