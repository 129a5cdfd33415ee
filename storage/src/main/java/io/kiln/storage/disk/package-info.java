/// Records in the segments of files: gathered, compressed and encrypted in frames.
package io.kiln.storage.disk;
