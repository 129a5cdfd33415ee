package io.kiln.storage.remote;

import io.kiln.network.transport.NodeAddress;

/// A process that has data and serves them.
///
/// @param executorId of the process
/// @param address where its [BlockServer] is asked
public record DataHolder(String executorId, NodeAddress address) {}
