/// An application's side: registers it with the master and tells of its executors. The door is
/// `io.kiln.cluster.client.ApplicationClient`, a machine; it tells
/// [io.kiln.cluster.client.ClientNews] and takes [io.kiln.cluster.client.ClientEvent]s.
package io.kiln.cluster.client;
