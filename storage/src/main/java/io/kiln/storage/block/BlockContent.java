package io.kiln.storage.block;

import io.kiln.process.disk.SegmentFile;
import io.kiln.process.disk.StoredSegment;
import io.kiln.storage.compression.FrameDecoder;
import io.kiln.storage.compression.FrameFormat;
import io.kiln.storage.serializer.ByteReader;
import io.kiln.storage.serializer.ObjectReader;
import io.kiln.storage.serializer.ObjectSerializer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/// What a block is made of, and where. Immutable.
sealed interface BlockContent {

  /// The records from the first on. What is needed of the content stays readable, even if the block
  /// is removed meanwhile; a file may not.
  Iterator<Object> records(ObjectSerializer serializer) throws IOException;

  /// Serialised records, wherever they lie.
  sealed interface Serialized extends BlockContent {
    FrameFormat format();

    /// The frames, verified.
    StoredBytes stored() throws IOException;

    @Override
    default Iterator<Object> records(ObjectSerializer serializer) throws IOException {
      return new RecordIterator(
          new ObjectReader(
              new ByteReader(new FrameDecoder(format(), stored().bytes())), serializer));
    }
  }

  /// Java objects.
  ///
  /// @param sizeBytes estimated
  record Objects(List<Object> values, long sizeBytes) implements BlockContent {
    @Override
    public Iterator<Object> records(ObjectSerializer serializer) {
      return values.iterator();
    }
  }

  /// Serialised records in frames.
  record Frames(List<byte[]> frames, long sizeBytes, FrameFormat format) implements Serialized {
    @Override
    public StoredBytes stored() {
      return new StoredBytes(
          sizeBytes,
          new SequenceInputStream(
              Collections.enumeration(frames.stream().map(ByteArrayInputStream::new).toList())));
    }
  }

  /// The same, outside the heap. The garbage collector frees it once neither the store nor a reader
  /// refers to it.
  record OffHeapFrames(MemorySegment frames, FrameFormat format) implements Serialized {
    @Override
    public StoredBytes stored() {
      return new StoredBytes(frames.byteSize(), new MemoryStream(frames));
    }
  }

  /// The same, in a file of its own.
  record OnDisk(Path path, StoredSegment segment, FrameFormat format) implements Serialized {
    @Override
    public StoredBytes stored() throws IOException {
      return new StoredBytes(segment.length(), SegmentFile.open(path, segment));
    }
  }

  /// Reads memory outside the heap.
  final class MemoryStream extends InputStream {
    private final MemorySegment memory;
    private long next;

    MemoryStream(MemorySegment memory) {
      this.memory = memory;
    }

    @Override
    public int read() {
      return next < memory.byteSize() ? memory.get(ValueLayout.JAVA_BYTE, next++) & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      if (length == 0) {
        return 0;
      }
      if (next == memory.byteSize()) {
        return -1;
      }
      int count = (int) Math.min(length, memory.byteSize() - next);
      MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, next, target, offset, count);
      next += count;
      return count;
    }
  }
}
