package io.kiln.files;

import io.kiln.api.Partition;

/// A range of a file's bytes.
///
/// @param path absolute
/// @param begin offset of the first byte
/// @param end offset after the last byte
record FileSplit(int index, String path, long begin, long end) implements Partition {}
