package io.kiln.process.disk;

/// A run of frames in a file.
///
/// @param length 0 if nothing was written
/// @param checksum CRC32C of the stored bytes
public record StoredSegment(long offset, long length, int checksum) {}
