package io.kiln.cluster.protocol;

import io.kiln.base.machine.Message;

/// Whatever a worker takes: [ToWorker], and what happens around it
/// (`io.kiln.cluster.worker.WorkerEvent`).
public interface WorkerMessage extends Message {}
