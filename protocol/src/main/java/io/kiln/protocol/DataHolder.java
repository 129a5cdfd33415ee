package io.kiln.protocol;

import io.kiln.network.transport.NodeAddress;

/// A process that has data and serves them.
///
/// @param executorId of the process
/// @param address where it is asked for them
public record DataHolder(String executorId, NodeAddress address) {}
