package io.kiln.daemon.recovery;

import io.kiln.api.KilnException;
import java.util.Map;

/// A master that stands for election. It takes what it is told in that order.
public interface Candidate {
  /// Tells the master that it leads from now on.
  ///
  /// @param epoch greater than that of any election before
  /// @param entries what has been persisted and not removed, by key
  void elected(long epoch, Map<String, byte[]> entries);

  /// Tells the master that it does not lead any more, or may not. It forgets everything and stands
  /// by. This has no effect if it has been elected anew since.
  void revoked(long epoch);

  /// Tells the master that it can never be elected again. Its process says why, and ends.
  void failed(KilnException why);
}
