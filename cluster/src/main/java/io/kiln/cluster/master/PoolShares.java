package io.kiln.cluster.master;

import io.kiln.cluster.master.MasterOptions.Shares;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;

/// How pools that compete share the cores. Pure, over what they have at the moment.
final class PoolShares {
  private final Shares shares;
  private final ToIntFunction<String> coresOf;
  private final List<String> competing;

  /// @param coresOf what a pool has
  PoolShares(Shares shares, ToIntFunction<String> coresOf, List<String> competing) {
    this.shares = shares;
    this.coresOf = coresOf;
    this.competing = competing;
  }

  /// The one that has the least for its weight; of equals, the first by name.
  String poorest(Collection<String> among) {
    return among.stream().min(byRiches()).orElseThrow();
  }

  List<String> poorestFirst() {
    return competing.stream().sorted(byRiches()).toList();
  }

  private Comparator<String> byRiches() {
    return Comparator.comparingDouble(
            (String pool) -> coresOf.applyAsInt(pool) / (double) shares.weight(pool))
        .thenComparing(Comparator.naturalOrder());
  }

  /// How many cores the pool may get within its share of `cores`, which the pools that compete
  /// divide by their weights.
  int roomWithinShare(String pool, long cores) {
    long weights = 0;
    long had = 0;
    for (String other : competing) {
      weights += shares.weight(other);
      had += coresOf.applyAsInt(other);
    }
    long share = Math.max(cores, had) * shares.weight(pool) / weights;
    return Math.clamp(share - coresOf.applyAsInt(pool), 0, Integer.MAX_VALUE);
  }
}
