package io.kiln.cluster.protocol;

/// ```
///                        silent, or its link lost for too long
///  UNKNOWN ──► ALIVE ─────────────────────────────────────────► DEAD
///              │   ▲                                            │
///              │   └──────────── registers again ───────────────┘
///              └──► DECOMMISSIONED: takes nothing more ──► DEAD
/// ```
public enum WorkerState {
  ALIVE,
  DEAD,
  DECOMMISSIONED,
  UNKNOWN
}
