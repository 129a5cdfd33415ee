package io.kiln.storage.shuffle;

import io.kiln.api.Pair;
import io.kiln.api.Partitioner;
import io.kiln.process.disk.DiskFileWriter;
import io.kiln.process.disk.SegmentFile;
import io.kiln.process.disk.StoredSegment;
import io.kiln.shuffle.MapOutput;
import io.kiln.shuffle.ShuffleStore;
import io.kiln.storage.compression.FrameEncoder;
import io.kiln.storage.disk.SegmentWriter;
import io.kiln.storage.serializer.ByteWriter;
import io.kiln.storage.serializer.ObjectSerializer;
import io.kiln.storage.serializer.ObjectWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Writes records as they come: each is serialised at once into the buffer of its reduce partition,
/// which grows with what it holds and is compressed in frames. When memory runs out, all buffers
/// are written to disk; at the end the frames are joined, without being read again. Used by the
/// task's thread.
final class PartitioningShuffleWriter<K, V> implements ShuffleWriter<K, V> {
  private static final int FIRST_BUFFER_BYTES = 128;
  private static final int FRAME_BYTES = 32 << 10;
  private static final long OBJECTS_PER_PARTITION_BYTES = 400;

  private final TaskResources resources;
  private final ShuffleStore store;
  private final int shuffleId;
  private final int mapPartition;
  private final Partitioner partitioner;
  private final FrameEncoder encoder;
  private final MemoryGate gate;
  private final List<SpillRun> runs = new ArrayList<>();
  private PartitionBuffer[] buffers;
  private long bufferBytes;
  private long records;
  private boolean accepting = true;

  PartitioningShuffleWriter(
      TaskResources resources,
      ShuffleStore store,
      int shuffleId,
      int mapPartition,
      Partitioner partitioner) {
    this.resources = resources;
    this.store = store;
    this.shuffleId = shuffleId;
    this.mapPartition = mapPartition;
    this.partitioner = partitioner;
    this.buffers = new PartitionBuffer[partitioner.numPartitions()];
    this.encoder = new FrameEncoder(resources.shuffleFormat());
    this.gate = new MemoryGate(resources.memory(), "a shuffle writer", this::spillForOthers);
  }

  @Override
  public boolean accept(Pair<K, V> pair) throws Exception {
    int partition = partitioner.partition(pair.key());
    PartitionBuffer buffer = buffers[partition];
    if (buffer == null) {
      buffer = new PartitionBuffer(encoder, resources.serializer());
      buffers[partition] = buffer;
      bufferBytes += buffer.memoryBytes();
    }
    long before = buffer.memoryBytes();
    buffer.records.write(pair);
    records++;
    long more = buffer.memoryBytes() - before;
    if (more != 0) {
      bufferBytes += more;
      if (!gate.allows(bufferBytes)) {
        spill();
      }
    }
    return true;
  }

  private void spill() throws IOException {
    DiskFileWriter file = resources.newSpill();
    SegmentWriter segments = new SegmentWriter(file, resources.shuffleFormat());
    StoredSegment[] written = new StoredSegment[buffers.length];
    for (int partition = 0; partition < buffers.length; partition++) {
      resources.memory().throwIfCancelled();
      if (buffers[partition] != null) {
        buffers[partition].moveTo(segments);
      }
      written[partition] = segments.end();
    }
    file.close();
    resources.settled(file);
    runs.add(new SpillRun(file.path(), written, resources.shuffleFormat()));
    resources.diskSpilled.addAndGet(file.position());
    buffers = new PartitionBuffer[buffers.length];
    bufferBytes = 0;
    resources.memorySpilled.addAndGet(gate.releaseAll());
  }

  private long spillForOthers() throws IOException {
    if (!accepting || bufferBytes == 0) {
      return 0;
    }
    long before = resources.memorySpilled.get();
    spill();
    return resources.memorySpilled.get() - before;
  }

  @Override
  public MapOutput commit() throws Exception {
    accepting = false;
    MapOutputFile file =
        new MapOutputFile(resources, store, shuffleId, mapPartition, buffers.length);
    try {
      for (int partition = 0; partition < buffers.length; partition++) {
        for (SpillRun run : runs) {
          resources.memory().throwIfCancelled();
          SegmentFile.copy(run.path(), run.segments()[partition], file.segments()::appendFrames);
        }
        if (buffers[partition] != null) {
          buffers[partition].moveTo(file.segments());
        }
        file.endPartition();
      }
      file.addRecords(records);
      return file.commit();
    } finally {
      file.abort();
      abort();
    }
  }

  @Override
  public void abort() {
    accepting = false;
    buffers = new PartitionBuffer[0];
    gate.close();
    for (SpillRun run : runs) {
      resources.removeSpill(run.path());
    }
    runs.clear();
  }

  /// The records of one reduce partition since the last spill.
  private static final class PartitionBuffer {
    private final FrameEncoder encoder;
    private final ByteWriter bytes = new ByteWriter(FIRST_BUFFER_BYTES, FRAME_BYTES, this::encode);
    private final ObjectWriter records;
    private final ArrayList<byte[]> frames = new ArrayList<>(0);
    private long frameBytes = OBJECTS_PER_PARTITION_BYTES;

    PartitionBuffer(FrameEncoder encoder, ObjectSerializer serializer) {
      this.encoder = encoder;
      this.records = new ObjectWriter(bytes, serializer);
    }

    long memoryBytes() {
      return frameBytes + bytes.capacity();
    }

    private void encode(byte[] raw, int length) throws IOException {
      encoder.encode(raw, 0, length, this::keep);
    }

    private void keep(byte[] encoded, int offset, int length) {
      frames.add(java.util.Arrays.copyOfRange(encoded, offset, offset + length));
      frameBytes += length + 16;
    }

    void moveTo(SegmentWriter segments) throws IOException {
      for (byte[] frame : frames) {
        segments.appendFrames(frame, 0, frame.length);
      }
      bytes.writeTo(segments.bytes());
    }
  }
}
