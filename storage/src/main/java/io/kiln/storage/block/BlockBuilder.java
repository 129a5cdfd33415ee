package io.kiln.storage.block;

import io.kiln.api.Records;
import io.kiln.api.StorageLevel;
import io.kiln.process.disk.DiskFileWriter;
import io.kiln.protocol.BlockId;
import io.kiln.storage.compression.FrameEncoder;
import io.kiln.storage.disk.SegmentWriter;
import io.kiln.storage.memory.SizeEstimator;
import io.kiln.storage.serializer.ByteWriter;
import io.kiln.storage.serializer.ObjectWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Builds one block, taking memory as it grows. Used by one task's thread, once.
///
/// What does not fit goes to disk if the level allows it; else the block is not stored, and the
/// caller gets the records that were taken so far, and after them the rest. The memory that was
/// taken is given back once nobody holds those records any more.
final class BlockBuilder {
  private static final Logger logger = LoggerFactory.getLogger(BlockBuilder.class);
  private static final AtomicBoolean warnedOfOffHeap = new AtomicBoolean();
  private static final int FRAME_BYTES = 64 << 10;
  private static final long FIRST_BYTES = 4 << 10;
  private static final int MAX_INTERVAL = 1024;

  private final BlockStore store;
  private final BlockId id;
  private final StorageLevel level;
  private long acquiredBytes;

  BlockBuilder(BlockStore store, BlockId id, StorageLevel level) {
    this.store = store;
    this.id = id;
    this.level = level;
  }

  /// @return the block's records, stored or not; if they are [AutoCloseable], closed by whoever
  /// reads
  ///     them, unless they are read to the end
  Iterator<Object> build(Records<?> computed) throws Exception {
    try {
      if (!level.useMemory()) {
        return keep(new Block(id, level, store.files().write(id, computed.iterator()), 0));
      }
      return level.deserialized() ? buildObjects(computed) : buildFrames(computed);
    } finally {
      if (acquiredBytes > 0) {
        store.release(acquiredBytes);
      }
    }
  }

  /// The acquired memory is the block's from now on.
  private Iterator<Object> keep(Block block) throws IOException {
    Iterator<Object> records = block.content().records(store.serializer());
    acquiredBytes -= block.memoryBytes();
    store.put(block);
    return records;
  }

  private boolean growTo(long bytes) {
    long more = bytes - acquiredBytes;
    if (more <= 0) {
      return true;
    }
    if (!store.acquire(id, more)) {
      return false;
    }
    acquiredBytes = bytes;
    return true;
  }

  private void shrinkTo(long bytes) {
    if (bytes < acquiredBytes) {
      store.release(acquiredBytes - bytes);
      acquiredBytes = bytes;
    }
  }

  private Iterator<Object> buildObjects(Records<?> computed) throws Exception {
    SizeEstimator estimator = new SizeEstimator();
    ArrayList<Object> values = new ArrayList<>();
    Iterator<?> records = computed.iterator();
    double sampledBytes = 0;
    int samples = 0;
    int nextSample = 0;
    while (records.hasNext()) {
      Object value = records.next();
      values.add(value);
      if (values.size() > nextSample) {
        sampledBytes += estimator.estimate(value);
        samples++;
        nextSample += Math.clamp(values.size() / 16, 1, MAX_INTERVAL);
        long estimate = estimate(values.size(), sampledBytes / samples);
        if (estimate > acquiredBytes
            && !growTo(Math.max(FIRST_BYTES, estimate + estimate / 2))
            && !growTo(estimate)) {
          return tooLarge(values, records);
        }
      }
    }
    values.trimToSize();
    long size = estimate(values.size(), samples == 0 ? 0 : sampledBytes / samples);
    if (!growTo(size)) {
      return tooLarge(values, records);
    }
    shrinkTo(size);
    List<Object> fixed = Collections.unmodifiableList(values);
    return keep(new Block(id, level, new BlockContent.Objects(fixed, size), size));
  }

  private static long estimate(int count, double meanBytes) {
    return 64 + (long) (count * (4 + meanBytes));
  }

  private Iterator<Object> tooLarge(List<Object> taken, Iterator<?> rest) throws IOException {
    HeldRecords all = held(new DrainingIterator(taken), rest);
    if (level.useDisk()) {
      try (all) {
        return keep(new Block(id, level, store.files().write(id, all), 0));
      }
    }
    logger.info("block {} does not fit in memory and is not stored", id);
    return all;
  }

  /// The memory acquired so far belongs to these records from now on.
  private HeldRecords held(Iterator<Object> taken, Iterator<?> rest) {
    HeldRecords all = new HeldRecords(store, acquiredBytes, taken, rest);
    acquiredBytes = 0;
    return all;
  }

  private Iterator<Object> buildFrames(Records<?> computed) throws Exception {
    FrameList frames = new FrameList();
    FrameEncoder encoder = new FrameEncoder(store.format());
    ByteWriter bytes =
        new ByteWriter(1024, FRAME_BYTES, (raw, length) -> encoder.encode(raw, 0, length, frames));
    ObjectWriter writer = new ObjectWriter(bytes, store.serializer());
    Iterator<?> records = computed.iterator();
    while (records.hasNext()) {
      writer.write(records.next());
      if (frames.bytes > acquiredBytes
          && !growTo(frames.bytes + 4L * FRAME_BYTES)
          && !growTo(frames.bytes)) {
        bytes.flush();
        return tooLarge(frames, records);
      }
    }
    bytes.flush();
    if (useOffHeap()) {
      Optional<MemorySegment> outside = store.offHeap().copy(frames.pieces, frames.bytes);
      if (outside.isPresent()) {
        return keep(
            new Block(id, level, new BlockContent.OffHeapFrames(outside.get(), store.format()), 0));
      }
      return tooLarge(frames, records);
    }
    if (!growTo(frames.bytes)) {
      return tooLarge(frames, records);
    }
    shrinkTo(frames.bytes);
    return keep(new Block(id, level, frames.toContent(store.format()), frames.bytes));
  }

  /// Without memory outside the heap, such blocks lie serialised on the heap.
  private boolean useOffHeap() {
    if (level.useOffHeap() && store.offHeap().isOff()) {
      if (warnedOfOffHeap.compareAndSet(false, true)) {
        logger.warn(
            "an RDD is persisted off-heap, but spark.memory.offHeap.size is 0: its blocks are kept"
                + " serialised on the heap");
      }
      return false;
    }
    return level.useOffHeap();
  }

  private Iterator<Object> tooLarge(FrameList frames, Iterator<?> rest) throws IOException {
    if (!level.useDisk()) {
      logger.info("block {} does not fit in memory and is not stored", id);
      return held(frames.toContent(store.format()).records(store.serializer()), rest);
    }
    DiskFileWriter file = store.files().newFile(id);
    try {
      SegmentWriter segments = new SegmentWriter(file, store.format());
      for (byte[] piece : frames.pieces) {
        segments.appendFrames(piece, 0, piece.length);
      }
      frames.pieces.clear();
      shrinkTo(0);
      ObjectWriter writer = new ObjectWriter(segments.bytes(), store.serializer());
      while (rest.hasNext()) {
        writer.write(rest.next());
      }
      return keep(new Block(id, level, store.files().complete(file, segments), 0));
    } finally {
      file.abort();
    }
  }

  /// Empties the list as it goes, so that a record can be collected once it was given out.
  private static final class DrainingIterator implements Iterator<Object> {
    private final List<Object> values;
    private int next;

    DrainingIterator(List<Object> values) {
      this.values = values;
    }

    @Override
    public boolean hasNext() {
      return next < values.size();
    }

    @Override
    public Object next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return values.set(next++, null);
    }
  }
}
