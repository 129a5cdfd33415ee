package io.kiln.cluster.protocol;

import io.kiln.base.machine.Address;

/// This master leads now; whoever gets this registers with it, at once.
public record MasterChanged(long epoch, Address master, String masterUrl, String masterWebUiUrl)
    implements ToWorker, ToApplication {}
