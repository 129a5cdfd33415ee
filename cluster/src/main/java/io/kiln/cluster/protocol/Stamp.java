package io.kiln.cluster.protocol;

/// What makes a master's message stale.
///
/// @param epoch of the master that speaks; grows with each that is elected
/// @param session that the receiver registered with
/// @param number of the message within the session: 1, 2, 3, …
public record Stamp(long epoch, long session, long number) {}
