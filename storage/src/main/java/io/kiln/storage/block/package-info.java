/// Blocks of persisted RDDs and broadcasts, in memory and on disk.
package io.kiln.storage.block;
