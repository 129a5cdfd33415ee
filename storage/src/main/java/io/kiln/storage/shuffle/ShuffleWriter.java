package io.kiln.storage.shuffle;

import io.kiln.api.Pair;
import io.kiln.api.Sink;
import io.kiln.shuffle.MapOutput;

/// Takes the records of one map task. Used by the task's thread; ends with [#commit] or [#abort].
///
/// @param <K> key
/// @param <V> value before combining
public interface ShuffleWriter<K, V> extends Sink<Pair<K, V>> {

  /// Makes the output visible. If another attempt of the map task did so before, its output stays
  /// and this one's is dropped.
  ///
  /// @return the committed output, of whichever attempt
  MapOutput commit() throws Exception;

  /// Drops all that was written. Does nothing after a commit; may be called again.
  void abort();
}
