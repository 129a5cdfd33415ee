/// The master: which workers there are, and what runs where. The door is
/// `io.kiln.cluster.master.Master`, a machine; what it keeps beyond its process is
/// [io.kiln.cluster.master.MasterEntry].
package io.kiln.cluster.master;
