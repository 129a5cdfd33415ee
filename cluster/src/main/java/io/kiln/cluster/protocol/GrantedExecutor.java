package io.kiln.cluster.protocol;

/// An executor of an application, and where it is.
///
/// @param executorId of one process, once: never given again, by whichever master
/// @param workerHostPort where its worker listens
public record GrantedExecutor(
    int executorId, String workerId, String workerHostPort, int cores, int memoryMebibytes) {}
