package io.kiln.runtime;

import io.kiln.base.machine.Entry;
import java.util.List;

/// Where the entries of a machine are kept.
@FunctionalInterface
public interface Journal {
  /// Keeps nothing: a machine that has something to keep fails.
  Journal NONE =
      entries -> {
        throw new IllegalStateException("nothing is kept here: " + entries);
      };

  /// Returns once all entries are durable. Called on the host's thread, which waits.
  ///
  /// @param entries of one turn, in order
  /// @throws EntriesRefused if this machine may keep nothing now: the turn's messages and timers
  /// are
  ///     dropped, and the machine is told
  /// @throws io.kiln.api.KilnException if they can't be kept; the host stops
  void append(List<Entry> entries);
}
