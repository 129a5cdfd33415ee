package io.kiln.api;

/// How alike the records of a partition are each time that the partition is computed.
///
/// It matters when an executor is lost: a partition that was lost may be computed again by itself
/// only if that gives what its readers have seen before. The constants stand in the order of
/// growing difference.
public enum Determinism {
  /// The same records in the same order.
  DETERMINATE,

  /// The same records, in any order: what a shuffle gives, since its parts arrive as they come.
  UNORDERED,

  /// Other records.
  INDETERMINATE;

  /// Of records that come from here and from there.
  public Determinism and(Determinism other) {
    return compareTo(other) >= 0 ? this : other;
  }

  /// Of what is made by a function that looks at the order of these records, as by numbering them.
  public Determinism whereOrderMatters() {
    return this == DETERMINATE ? DETERMINATE : INDETERMINATE;
  }
}
