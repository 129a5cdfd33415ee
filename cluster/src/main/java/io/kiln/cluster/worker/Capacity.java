package io.kiln.cluster.worker;

/// What a worker has to give. It never gives more, whatever a master thinks. Mutable, the worker's
/// thread only.
final class Capacity {
  private final int cores;
  private final int memoryMebibytes;
  private int coresFree;
  private int memoryFreeMebibytes;

  Capacity(int cores, int memoryMebibytes) {
    this.cores = cores;
    this.memoryMebibytes = memoryMebibytes;
    this.coresFree = cores;
    this.memoryFreeMebibytes = memoryMebibytes;
  }

  boolean has(int cores, int memoryMebibytes) {
    return coresFree >= cores && memoryFreeMebibytes >= memoryMebibytes;
  }

  /// @throws IllegalStateException if there is not so much
  void take(int cores, int memoryMebibytes) {
    if (!has(cores, memoryMebibytes)) {
      throw new IllegalStateException("took " + cores + " cores of " + this);
    }
    coresFree -= cores;
    memoryFreeMebibytes -= memoryMebibytes;
  }

  void giveBack(int cores, int memoryMebibytes) {
    coresFree += cores;
    memoryFreeMebibytes += memoryMebibytes;
  }

  int coresUsed() {
    return cores - coresFree;
  }

  int memoryUsedMebibytes() {
    return memoryMebibytes - memoryFreeMebibytes;
  }

  @Override
  public String toString() {
    return coresFree + " cores and " + memoryFreeMebibytes + " MiB that are free";
  }
}
