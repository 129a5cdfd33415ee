package io.kiln.api.listener;

/// What a task has used: so far while it runs, in all once it has ended.
///
/// @param resultSizeBytes what it gave to the driver; 0 before
/// @param peakMemoryBytes the most that its tables, sorts and buffers held at once
public record TaskMetrics(
    Times times,
    long resultSizeBytes,
    long peakMemoryBytes,
    ShuffleRead shuffleRead,
    ShuffleWrite shuffleWrite,
    Spill spill) {

  /// Of a task that has used nothing.
  public static final TaskMetrics NONE =
      new TaskMetrics(Times.NONE, 0, 0, ShuffleRead.NONE, ShuffleWrite.NONE, Spill.NONE);

  public TaskMetrics withTimes(Times taken) {
    return new TaskMetrics(
        taken, resultSizeBytes, peakMemoryBytes, shuffleRead, shuffleWrite, spill);
  }

  public TaskMetrics withResultSizeBytes(long sizeBytes) {
    return new TaskMetrics(times, sizeBytes, peakMemoryBytes, shuffleRead, shuffleWrite, spill);
  }

  /// Where its time went. Only while somebody listens are the parts told apart: else all of it is
  /// `runNanos`, and the others are 0.
  ///
  /// @param deserializeNanos until its work and its partition were restored, with the fetching of
  ///     what the application has brought
  /// @param deserializeCpuNanos of the task's thread, of that
  /// @param runNanos without deserialising and without serialising the result
  /// @param cpuNanos of the task's thread, of that
  /// @param gcMillis how long the process was collecting garbage meanwhile, whichever task's
  /// @param resultSerializeNanos until its result was ready to travel
  public record Times(
      long deserializeNanos,
      long deserializeCpuNanos,
      long runNanos,
      long cpuNanos,
      long gcMillis,
      long resultSerializeNanos) {
    public static final Times NONE = new Times(0, 0, 0, 0, 0, 0);

    /// Of a task of which it isn't known what it did when.
    public static Times ofRun(long nanos) {
      return new Times(0, 0, nanos, 0, 0, 0);
    }

    /// How long it had its slot.
    public long totalNanos() {
      return deserializeNanos + runNanos + resultSerializeNanos;
    }

    public long runMillis() {
      return runNanos / 1_000_000;
    }
  }

  /// What it read of shuffles. A block is what one map task wrote for one reduce partition, if that
  /// is not empty; bytes count as stored.
  ///
  /// @param records before combining
  /// @param local from its own process
  /// @param remote from other processes
  /// @param remoteToDiskBytes what of it was too large for memory
  /// @param waitNanos how long the task waited for what had not come yet
  /// @param requests how often other processes were asked
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

  /// How many, and how large they are together.
  public record Blocks(long count, long bytes) {
    public static final Blocks NONE = new Blocks(0, 0);
  }

  /// What it wrote for a shuffle, once that was complete.
  ///
  /// @param records after combining
  /// @param bytes as stored
  /// @param nanos how long the file system took for it
  public record ShuffleWrite(long records, long bytes, long nanos) {
    public static final ShuffleWrite NONE = new ShuffleWrite(0, 0, 0);
  }

  /// What it had to put on disk for want of memory.
  ///
  /// @param memoryBytes how much memory that freed, as estimated
  /// @param diskBytes how much was written, as stored
  public record Spill(long memoryBytes, long diskBytes) {
    public static final Spill NONE = new Spill(0, 0);
  }
}
