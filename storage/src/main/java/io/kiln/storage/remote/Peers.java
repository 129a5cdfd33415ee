package io.kiln.storage.remote;

import io.kiln.network.transport.Transport;
import io.kiln.protocol.DataHolder;
import io.kiln.storage.block.BlockReports;

/// What a process's storage needs to use what others have.
///
/// @param transport over which they are reached
/// @param self as the others know this process
/// @param locations where things are
/// @param reports hears what blocks there are here
/// @param options how much is asked for at a time, and how often
/// @param broadcasts how they are cut
/// @param departure what becomes of data whose process is about to end
public record Peers(
    Transport transport,
    DataHolder self,
    Locations locations,
    BlockReports reports,
    FetchOptions options,
    BroadcastOptions broadcasts,
    DepartureOptions departure) {}
