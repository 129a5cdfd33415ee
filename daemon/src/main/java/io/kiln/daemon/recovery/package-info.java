/// What lets a cluster survive its master: which of several masters leads, and what the next one
/// must know. [io.kiln.daemon.recovery.Recovery] is the door, also for a user's own way
/// (`spark.deploy.recoveryMode=CUSTOM`).
package io.kiln.daemon.recovery;
