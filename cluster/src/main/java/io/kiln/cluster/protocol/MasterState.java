package io.kiln.cluster.protocol;

/// ```
///  STANDBY ──elected──► RECOVERING ──all have answered, or the time is over──► ALIVE
///     ▲                     │                                                    │
///     └─────────────────────┴────────────────── deposed ─────────────────────────┘
/// ```
public enum MasterState {
  STANDBY,
  RECOVERING,
  ALIVE
}
