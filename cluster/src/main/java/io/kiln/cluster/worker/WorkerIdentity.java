package io.kiln.cluster.worker;

/// @param workerId shown to people, unique in the cluster
/// @param incarnation drawn at random when the process starts
public record WorkerIdentity(String workerId, long incarnation) {}
