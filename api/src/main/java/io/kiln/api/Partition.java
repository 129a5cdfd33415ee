package io.kiln.api;

import java.io.Serializable;

/// Names one part of an RDD. It describes where the part's records come from and holds none of the
/// engine's objects.
///
/// Travels with the task that computes it, so it is small and serialisable.
public interface Partition extends Serializable {

  /// Position in the RDD, from 0.
  int index();
}
