package io.kiln.storage.block;

import java.io.InputStream;

/// A block as it is sent to others: frames of its records.
///
/// @param bytes to be closed by whoever got them; they stay readable even if the block is removed
public record StoredBytes(long lengthBytes, InputStream bytes) {}
