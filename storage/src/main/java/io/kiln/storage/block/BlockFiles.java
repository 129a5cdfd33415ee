package io.kiln.storage.block;

import io.kiln.process.disk.DiskFileWriter;
import io.kiln.process.disk.LocalDirectories;
import io.kiln.process.disk.StoredSegment;
import io.kiln.protocol.BlockId;
import io.kiln.storage.compression.FrameEncoder;
import io.kiln.storage.compression.FrameFormat;
import io.kiln.storage.disk.SegmentWriter;
import io.kiln.storage.serializer.ByteWriter;
import io.kiln.storage.serializer.ObjectSerializer;
import io.kiln.storage.serializer.ObjectWriter;
import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// Writes blocks to files, each of its own. Thread-safe.
final class BlockFiles {
  private static final String GROUP = "blocks";
  private static final long SERIALIZED_IN_MEMORY_BYTES = 4 << 20;

  private final LocalDirectories directories;
  private final ObjectSerializer serializer;
  private final FrameFormat format;
  private final int writeBufferBytes;
  private final AtomicLong nextFile = new AtomicLong();

  BlockFiles(
      LocalDirectories directories,
      ObjectSerializer serializer,
      FrameFormat format,
      int writeBufferBytes) {
    this.directories = directories;
    this.serializer = serializer;
    this.format = format;
    this.writeBufferBytes = writeBufferBytes;
  }

  DiskFileWriter newFile(BlockId id) {
    return new DiskFileWriter(
        directories.newFile(GROUP, id + "-" + nextFile.getAndIncrement()), writeBufferBytes);
  }

  /// What a file is filled with.
  private interface Filling {
    void fill(SegmentWriter segments) throws IOException;
  }

  private BlockContent.OnDisk write(BlockId id, Filling filling) throws IOException {
    DiskFileWriter file = newFile(id);
    try {
      SegmentWriter segments = new SegmentWriter(file, format);
      filling.fill(segments);
      return complete(file, segments);
    } finally {
      file.abort();
    }
  }

  BlockContent.OnDisk complete(DiskFileWriter file, SegmentWriter segments) throws IOException {
    StoredSegment segment = segments.end();
    file.close();
    return new BlockContent.OnDisk(file.path(), segment, format);
  }

  BlockContent.OnDisk write(BlockId id, Iterator<?> records) throws IOException {
    return write(id, segments -> writeAll(records, segments.bytes()));
  }

  private void writeAll(Iterator<?> records, ByteWriter bytes) throws IOException {
    ObjectWriter writer = new ObjectWriter(bytes, serializer);
    while (records.hasNext()) {
      writer.write(records.next());
    }
  }

  BlockContent.OnDisk writeFrames(BlockId id, List<byte[]> frames) throws IOException {
    return write(
        id,
        segments -> {
          for (byte[] frame : frames) {
            segments.appendFrames(frame, 0, frame.length);
          }
        });
  }

  /// What is serialised stays as it is.
  BlockContent copy(BlockId id, BlockContent content) throws IOException {
    if (!(content instanceof BlockContent.Serialized serialized)) {
      return write(id, content.records(serializer));
    }
    return write(
        id,
        segments -> {
          try (InputStream frames = serialized.stored().bytes()) {
            byte[] piece = new byte[SegmentWriter.FRAME_BYTES];
            for (int count = frames.read(piece); count >= 0; count = frames.read(piece)) {
              segments.appendFrames(piece, 0, count);
            }
          }
        });
  }

  /// Through a file if there is much of it, which is gone as soon as it is open.
  StoredBytes serialize(BlockId id, BlockContent.Objects objects) throws IOException {
    if (objects.sizeBytes() <= SERIALIZED_IN_MEMORY_BYTES) {
      FrameList frames = new FrameList();
      FrameEncoder encoder = new FrameEncoder(format);
      ByteWriter bytes =
          new ByteWriter(
              1024,
              SegmentWriter.FRAME_BYTES,
              (raw, length) -> encoder.encode(raw, 0, length, frames));
      writeAll(objects.values().iterator(), bytes);
      bytes.flush();
      return frames.toContent(format).stored();
    }
    BlockContent.OnDisk file = write(id, objects.values().iterator());
    try {
      return file.stored();
    } finally {
      LocalDirectories.removeFile(file.path());
    }
  }
}
