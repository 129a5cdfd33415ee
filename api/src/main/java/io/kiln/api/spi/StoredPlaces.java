package io.kiln.api.spi;

import java.util.List;

/// Where partitions of persisted RDDs are stored.
@FunctionalInterface
public interface StoredPlaces {
  /// Nothing is stored.
  StoredPlaces NOWHERE = (_, _) -> List.of();

  /// @return names of places; empty if it is not stored
  List<String> of(int rddId, int partition);
}
