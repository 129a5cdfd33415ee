package io.kiln.storage.shuffle;

import io.kiln.storage.serializer.ByteReader;
import java.io.IOException;
import java.util.Optional;

/// The bytes that a shuffle holds for a task, verified, in runs of whole records. Used by the
/// task's thread.
public interface StoredRuns {
  /// The next run. The one before it isn't read any more.
  ///
  /// @return empty at the end
  /// @throws ShuffleFetchFailure if what the shuffle should hold can't be had
  Optional<ByteReader> next();

  /// What it means that the last run can't be read to its end.
  ShuffleFetchFailure unreadable(IOException why);
}
