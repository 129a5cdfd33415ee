package io.kiln.cluster.protocol;

/// Whether a master leads, and knows of all that runs; drawn at `io.kiln.cluster.master.Master`.
public enum MasterState {
  STANDBY,
  RECOVERING,
  ALIVE
}
