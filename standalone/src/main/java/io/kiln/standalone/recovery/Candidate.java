package io.kiln.standalone.recovery;

import io.kiln.api.KilnException;
import java.util.Map;

/// A master that stands for election. What it is told, it takes in order.
public interface Candidate {
  /// It leads from now on.
  ///
  /// @param epoch greater than that of any election before
  /// @param entries what has been persisted and not removed, by key
  void elected(long epoch, Map<String, byte[]> entries);

  /// It does not lead any more, or may not: it forgets everything and stands by. Of no effect if it
  /// has been elected anew since.
  void revoked(long epoch);

  /// It can never be elected again. Its process ends, and says why.
  void failed(KilnException why);
}
