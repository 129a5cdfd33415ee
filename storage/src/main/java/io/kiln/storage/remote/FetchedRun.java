package io.kiln.storage.remote;

import io.kiln.process.disk.StoredSegment;
import java.nio.file.Path;

/// Verified bytes that have come from another process: one segment of a map output, or several
/// joined.
sealed interface FetchedRun {
  /// Where the first segment is from.
  SegmentOrigin origin();

  /// Part of the window until it was read.
  record InMemory(SegmentOrigin origin, byte[] bytes, int length) implements FetchedRun {}

  /// In a spill of the task, removed once it was read.
  record InFile(SegmentOrigin origin, Path path, StoredSegment segment) implements FetchedRun {}
}
