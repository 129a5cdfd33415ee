package io.kiln.cluster.protocol;

/// Who answers. Only a master that is not in [MasterState#STANDBY] takes requests; a client goes on
/// to the next, and believes the highest epoch.
///
/// @param epoch 0 if it has never led
public record MasterIdentity(long epoch, String masterUrl, MasterState state) {}
