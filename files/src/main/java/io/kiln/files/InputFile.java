package io.kiln.files;

import java.io.Serializable;

/// A file of an input as it was when the input was looked up.
///
/// @param path absolute
record InputFile(String path, long sizeBytes) implements Serializable {}
