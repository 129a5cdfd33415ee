/// The standalone cluster in real processes: the hosts of the machines in `io.kiln.cluster`, what
/// starts drivers and executors for them, the gateways, and an application's way to its executors.
package io.kiln.standalone;
