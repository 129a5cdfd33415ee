package io.kiln.bench.work;

/// Makes the pairs of one partition, the same ones each time: SplitMix64 from a seed that is
/// the partition's number. It holds no boxed value, so that each engine makes its own kind of
/// pair.
public final class PairSource {
  private final int keyBound;
  private long state;
  private int remaining;
  private long key;
  private long value;

  private PairSource(int partition, int count, int keyBound) {
    this.state = mix(partition + 1L);
    this.remaining = count;
    this.keyBound = keyBound;
  }

  /// Pairs whose key is any long.
  public static PairSource ofLongKeys(int partition, int count) {
    return new PairSource(partition, count, 0);
  }

  /// Pairs whose key is in `[0, keyBound)`.
  public static PairSource ofKeysBelow(int keyBound, int partition, int count) {
    return new PairSource(partition, count, keyBound);
  }

  public boolean hasNext() {
    return remaining > 0;
  }

  /// Moves to the next pair; only while [#hasNext] says so.
  public void advance() {
    remaining--;
    long bits = draw();
    key = keyBound == 0 ? bits : ((bits >>> 32) * keyBound) >>> 32;
    value = keyBound == 0 ? draw() : bits & 0xFFFF;
  }

  public long key() {
    return key;
  }

  public int intKey() {
    return (int) key;
  }

  public long value() {
    return value;
  }

  private long draw() {
    state += 0x9E3779B97F4A7C15L;
    return mix(state);
  }

  private static long mix(long bits) {
    long mixed = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
