/// Several masters, by libraries that only such a master loads: `zookeeper` and `raft`, each a
/// [io.kiln.standalone.recovery.Recovery].
package io.kiln.recovery;
