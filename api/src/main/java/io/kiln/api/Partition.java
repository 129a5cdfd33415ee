package io.kiln.api;

import java.io.Serializable;

/// Names one part of an RDD. It describes where the records of that part come from, and holds no
/// object of the engine.
///
/// A partition travels with the task that computes it, so it is small and serialisable.
public interface Partition extends Serializable {

  /// Returns the position in the RDD, counted from 0.
  int index();
}
