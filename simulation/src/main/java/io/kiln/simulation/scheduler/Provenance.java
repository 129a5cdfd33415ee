package io.kiln.simulation.scheduler;

import java.util.Map;
import java.util.TreeMap;

/// Which versions of indeterminate outputs something was computed from. An output that was computed
/// twice has two versions, and nothing may be computed from both.
///
/// @param versions by output, as `shuffle:map`
/// @param isMixed whether two versions of one output have come together
record Provenance(Map<String, Long> versions, boolean isMixed) {
  static final Provenance NONE = new Provenance(Map.of(), false);

  Provenance with(int shuffleId, int mapPartition, long version) {
    return and(new Provenance(Map.of(shuffleId + ":" + mapPartition, version), false));
  }

  Provenance and(Provenance other) {
    if (other.versions.isEmpty() || other.equals(this)) {
      return other.isMixed && !isMixed ? new Provenance(versions, true) : this;
    }
    Map<String, Long> all = new TreeMap<>(versions);
    boolean mixed = isMixed || other.isMixed;
    for (Map.Entry<String, Long> version : other.versions.entrySet()) {
      Long known = all.put(version.getKey(), version.getValue());
      mixed |= known != null && !known.equals(version.getValue());
    }
    return new Provenance(all, mixed);
  }
}
