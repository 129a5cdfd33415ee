/// The daemons of a standalone cluster: the processes of masters and workers. The doors are
/// [io.kiln.daemon.master.MasterMain] and [io.kiln.daemon.worker.WorkerMain]; the machines that
/// they host are in `io.kiln.cluster`.
package io.kiln.daemon;
