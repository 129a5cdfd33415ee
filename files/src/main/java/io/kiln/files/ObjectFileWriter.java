package io.kiln.files;

import io.kiln.api.Records;
import io.kiln.api.TaskContext;
import io.kiln.api.spi.KilnObjectOutputStream;
import io.kiln.api.spi.Nesting;
import io.kiln.api.spi.PartitionFunction;
import io.kiln.base.filesystem.FileSystems;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/// Writes the records of a partition in the format of [ObjectFileFormat], in a task.
record ObjectFileWriter<T>(FileSystems files, String jobDirectory)
    implements PartitionFunction<T, PartFile.Committed> {

  @Override
  public PartFile.Committed apply(TaskContext task, Records<T> records) throws Exception {
    try (PartFile part = PartFile.create(files, jobDirectory, "", task)) {
      Batches batches = new Batches(new DataOutputStream(part.content()));
      records.forEach(
          value -> {
            task.throwIfInterrupted();
            batches.add(value);
            return true;
          });
      batches.finish();
      return part.commit();
    }
  }

  private static final class Content extends ByteArrayOutputStream {
    synchronized void cutAt(int size) {
      count = size;
    }
  }

  private static final class Batches {
    private final DataOutputStream out;
    private final Content content = new Content();
    private final List<Long> offsets = new ArrayList<>();
    private ObjectOutputStream objects;
    private int batchRecords;
    private long records;
    private long offset = ObjectFileFormat.HEADER_BYTES;

    Batches(DataOutputStream out) throws IOException {
      this.out = out;
      out.writeLong(ObjectFileFormat.HEADER);
    }

    void add(Object value) throws IOException {
      if (objects == null) {
        objects = new KilnObjectOutputStream(content);
      }
      objects.flush();
      int before = content.size();
      try {
        objects.writeObject(value);
      } catch (NotSerializableException e) {
        throw FileFailure.recordNotSerializable(value, e);
      } catch (Nesting.TooDeep e) {
        content.cutAt(before);
        addAlone(value);
        return;
      }
      batchRecords++;
      if (content.size() >= ObjectFileFormat.BATCH_BYTES) {
        endBatch();
      }
    }

    /// On a large stack; in a batch of its own, as the stream before was left in its middle.
    private void addAlone(Object value) throws IOException {
      if (batchRecords > 0) {
        writeBatch();
      }
      content.reset();
      try {
        objects =
            Nesting.onLargeStack(
                () -> {
                  ObjectOutputStream alone = new KilnObjectOutputStream(content);
                  alone.writeObject(value);
                  return alone;
                });
      } catch (NotSerializableException e) {
        throw FileFailure.recordNotSerializable(value, e);
      } catch (Nesting.TooDeep e) {
        throw FileFailure.recordTooDeep(value);
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e); // the work throws no other
      }
      batchRecords = 1;
      endBatch();
    }

    private void endBatch() throws IOException {
      objects.flush();
      writeBatch();
    }

    private void writeBatch() throws IOException {
      byte[] bytes = content.toByteArray();
      CRC32C checksum = new CRC32C();
      checksum.update(bytes);
      out.writeInt(batchRecords);
      out.writeInt(bytes.length);
      out.writeInt((int) checksum.getValue());
      out.write(bytes);
      offsets.add(offset);
      offset += ObjectFileFormat.BATCH_HEADER_BYTES + bytes.length;
      records += batchRecords;
      batchRecords = 0;
      objects = null;
      content.reset();
    }

    void finish() throws IOException {
      if (objects != null) {
        endBatch();
      }
      ByteBuffer end =
          ByteBuffer.allocate(offsets.size() * Long.BYTES + ObjectFileFormat.TRAILER_BYTES);
      offsets.forEach(end::putLong);
      end.putLong(records).putInt(offsets.size());
      CRC32C checksum = new CRC32C();
      checksum.update(end.array(), 0, end.position());
      end.putInt((int) checksum.getValue()).putInt(ObjectFileFormat.TRAILER_MAGIC);
      out.write(end.array());
      out.flush();
    }
  }
}
