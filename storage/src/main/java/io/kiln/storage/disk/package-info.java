/// Scratch directories and the files in them.
package io.kiln.storage.disk;
