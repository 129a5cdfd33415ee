package io.kiln.protocol;

import java.util.List;

/// Who has the map outputs of a shuffle.
///
/// @param holders each once
/// @param holderOfMap for each map partition an index in `holders`, or [#NONE]; nobody changes it
public record MapOutputLocations(List<DataHolder> holders, int[] holderOfMap) {
  /// Nobody has it.
  public static final int NONE = -1;

  public MapOutputLocations {
    holders = List.copyOf(holders);
    for (int holder : holderOfMap) {
      if (holder < NONE || holder >= holders.size()) {
        throw new IllegalArgumentException("there is no holder " + holder);
      }
    }
  }

  /// Whether nobody has the map output.
  public boolean isMissing(int mapPartition) {
    return mapPartition >= holderOfMap.length || holderOfMap[mapPartition] == NONE;
  }

  /// Who has the map output, which is not missing.
  public DataHolder holder(int mapPartition) {
    return holders.get(holderOfMap[mapPartition]);
  }

  /// Whether the driver still says that the executor has the map output.
  public boolean has(String executorId, int mapPartition) {
    return !isMissing(mapPartition) && holder(mapPartition).executorId().equals(executorId);
  }
}
