/// The map outputs of shuffles in files: where they lie, which of several attempts counts, and how
/// they are found again by a process that has only the files.
///
/// Nothing here knows what the bytes mean: a process without the application's classes and without
/// its key can serve them ([io.kiln.shuffle.server]).
package io.kiln.shuffle;
