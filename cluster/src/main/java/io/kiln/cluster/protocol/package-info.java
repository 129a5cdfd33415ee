/// What the parts of a standalone cluster say to each other: [io.kiln.cluster.protocol.ToMaster],
/// [io.kiln.cluster.protocol.ToWorker], [io.kiln.cluster.protocol.ToApplication],
/// [io.kiln.cluster.protocol.ToClient].
///
/// **Who speaks.** A worker is a `workerId` and an `incarnation` (drawn once by its process); an
/// application's client is an `incarnation`, drawn once too, and an `applicationId` once it has
/// one. Each registers with a `session`, a number that it raises whenever it registers: what it
/// said before, and what was said to it before, is stale from then on.
///
/// **What a master says** carries a [io.kiln.cluster.protocol.Stamp]: the master's epoch, the
/// session, and a number that counts up by one within the session. The receiver drops an older
/// epoch and another session; on a gap in the numbers it registers again, for something was lost.
/// Heartbeats say which number was seen last, so that a lost last message is noticed too.
///
/// **Registration carries everything**: a worker's tells all that it runs and all ends that no
/// master has acknowledged; the answer to an application's lists all its executors. So a link may
/// break at any time, and a master may be replaced at any time, and what both sides know is the
/// same again after one registration.
///
/// **Addresses.** The process part of an [io.kiln.base.machine.Address] is `host:port` at which
/// that process listens, so a master that takes over reaches those that it has only read of.
package io.kiln.cluster.protocol;
