/// Bytes made smaller, in frames that can be joined.
package io.kiln.storage.compression;
