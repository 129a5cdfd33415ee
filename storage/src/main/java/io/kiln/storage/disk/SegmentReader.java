package io.kiln.storage.disk;

import io.kiln.process.disk.SegmentFile;
import io.kiln.process.disk.StoredSegment;
import io.kiln.storage.compression.FrameDecoder;
import io.kiln.storage.compression.FrameFormat;
import io.kiln.storage.serializer.ByteReader;
import java.io.IOException;
import java.nio.file.Path;

/// Opens what a [SegmentWriter] has written.
public final class SegmentReader {

  private SegmentReader() {}

  /// Nothing is given out that was not verified.
  ///
  /// @throws SegmentFile.CorruptedSegment if the checksum differs or the file ends early
  /// @throws java.nio.file.NoSuchFileException if the file is gone
  public static ByteReader open(Path path, StoredSegment segment, FrameFormat format)
      throws IOException {
    return new ByteReader(new FrameDecoder(format, SegmentFile.open(path, segment)));
  }
}
