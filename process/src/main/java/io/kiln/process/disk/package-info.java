/// The scratch directories of one process and the files in them: written once, in segments with
/// checksums.
package io.kiln.process.disk;
