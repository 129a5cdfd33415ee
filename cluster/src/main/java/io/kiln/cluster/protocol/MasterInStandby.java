package io.kiln.cluster.protocol;

/// The answer of a master that does not lead, to a registration.
///
/// @param session of the registration
public record MasterInStandby(long session, String masterUrl) implements ToWorker, ToApplication {}
