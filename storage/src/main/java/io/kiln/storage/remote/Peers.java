package io.kiln.storage.remote;

import io.kiln.network.transport.Transport;

/// What a process's storage needs to use what others have.
///
/// @param transport over which they are reached
/// @param self as the others know this process
/// @param locations where things are
/// @param options how much is asked for at a time, and how often
public record Peers(
    Transport transport, DataHolder self, Locations locations, FetchOptions options) {}
