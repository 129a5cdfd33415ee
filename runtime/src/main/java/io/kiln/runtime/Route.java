package io.kiln.runtime;

/// What stands behind an address of a host.
sealed interface Route permits MachineRoute, EdgeRoute {}
