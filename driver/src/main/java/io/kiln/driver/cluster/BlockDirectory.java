package io.kiln.driver.cluster;

import io.kiln.protocol.BlockId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// Which executors have which blocks, as they report it. Thread-safe.
final class BlockDirectory {

  // guarded by this; each set in the order of the reports
  private final Map<BlockId, Set<String>> holders = new HashMap<>();

  synchronized void changed(String executorId, List<BlockId> added, List<BlockId> removed) {
    for (BlockId id : removed) {
      remove(id, executorId);
    }
    for (BlockId id : added) {
      holders.computeIfAbsent(id, _ -> new LinkedHashSet<>(2)).add(executorId);
    }
  }

  private void remove(BlockId id, String executorId) {
    holders.computeIfPresent(
        id,
        (_, having) -> {
          having.remove(executorId);
          return having.isEmpty() ? null : having;
        });
  }

  synchronized void executorLost(String executorId) {
    List.copyOf(holders.keySet()).forEach(id -> remove(id, executorId));
  }

  /// Nobody is to be sent to these any more.
  synchronized void forget(Predicate<BlockId> blocks) {
    holders.keySet().removeIf(blocks);
  }

  /// The ids of the executors.
  synchronized List<String> holders(BlockId id) {
    return new ArrayList<>(holders.getOrDefault(id, Set.of()));
  }
}
