/// Hosts that run machines on real threads and clocks. The door is [io.kiln.runtime.MachineHost].
package io.kiln.runtime;
