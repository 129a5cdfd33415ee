/// The worker: starts and stops drivers and executors as its master says. The door is
/// `io.kiln.cluster.worker.Worker`, a machine; who starts the processes gets
/// [io.kiln.cluster.worker.RunnerOrder]s and tells [io.kiln.cluster.worker.WorkerEvent]s.
package io.kiln.cluster.worker;
