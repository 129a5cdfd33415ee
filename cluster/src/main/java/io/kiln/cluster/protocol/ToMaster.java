package io.kiln.cluster.protocol;

/// What travels to a master.
public sealed interface ToMaster extends MasterMessage
    permits FromWorker, FromApplication, FromClient {}
