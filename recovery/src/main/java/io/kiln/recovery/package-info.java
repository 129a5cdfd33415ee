/// Several masters, by libraries that only such a master loads: `zookeeper` and `raft`, each a
/// [io.kiln.daemon.recovery.Recovery].
package io.kiln.recovery;
