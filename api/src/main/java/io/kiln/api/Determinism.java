package io.kiln.api;

/// Says how alike the records of a partition are each time that the partition is computed.
///
/// This matters when an executor is lost. A partition that was lost may be computed again alone
/// only if its readers then see the same records as before. The constants stand in the order of
/// growing difference.
public enum Determinism {
  /// The partition has the same records in the same order.
  DETERMINATE,

  /// The partition has the same records, in any order. A shuffle is like this, as its parts arrive
  /// in any order.
  UNORDERED,

  /// The partition may have other records.
  INDETERMINATE;

  /// Returns how alike the records are when some come from this kind of partition and some from
  /// `other`.
  public Determinism and(Determinism other) {
    return compareTo(other) >= 0 ? this : other;
  }

  /// Returns how alike the results are of a function that looks at the order of the records, such
  /// as one that numbers them.
  public Determinism whereOrderMatters() {
    return this == DETERMINATE ? DETERMINATE : INDETERMINATE;
  }
}
