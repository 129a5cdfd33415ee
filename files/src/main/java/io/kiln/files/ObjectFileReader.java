package io.kiln.files;

import io.kiln.api.spi.Nesting;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.filesystem.FileSystems;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.concurrent.Callable;
import java.util.zip.CRC32C;

/// Reads the records of those batches of an object file that begin in a range of its bytes; see
/// [ObjectFileFormat]. Used by one thread.
final class ObjectFileReader implements Closeable {
  private final String path;
  private final SeekableByteChannel channel;
  private final DataInputStream in;
  private final ApplicationClasses classes = ApplicationClasses.ofThread();
  private int batchesLeft;
  private int recordsLeft;
  private byte[] content;
  private ObjectInputStream objects;
  private int recordsRead;
  private boolean isDeep;

  /// @throws io.kiln.api.KilnException `OBJECT_FILE_CORRUPT`, `INPUT_READ_FAILED`
  static ObjectFileReader open(FileSystems files, FileSplit split) {
    try {
      SeekableByteChannel channel = files.at(split.path()).open(split.path());
      try {
        return new ObjectFileReader(split, channel);
      } catch (IOException | RuntimeException e) {
        try (channel) {
          throw e;
        }
      }
    } catch (IOException e) {
      throw FileFailure.unreadable(split.path(), e);
    }
  }

  private ObjectFileReader(FileSplit split, SeekableByteChannel channel) throws IOException {
    this.path = split.path();
    this.channel = channel;
    this.in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel)));
    seekFirstBatch(split);
  }

  private void seekFirstBatch(FileSplit split) throws IOException {
    long size = channel.size();
    int smallest = ObjectFileFormat.HEADER_BYTES + ObjectFileFormat.TRAILER_BYTES;
    if (size < smallest || read(0, Long.BYTES).getLong() != ObjectFileFormat.HEADER) {
      throw FileFailure.corruptObjectFile(path, "it is not an object file of this version");
    }
    ByteBuffer trailer =
        read(size - ObjectFileFormat.TRAILER_BYTES, ObjectFileFormat.TRAILER_BYTES);
    long indexBytes = (long) trailer.getInt(Long.BYTES) * Long.BYTES;
    if (trailer.getInt(Long.BYTES + 2 * Integer.BYTES) != ObjectFileFormat.TRAILER_MAGIC
        || indexBytes < 0
        || indexBytes > size - smallest) {
      throw FileFailure.corruptObjectFile(path, "its end is missing");
    }
    int endBytes = (int) indexBytes + ObjectFileFormat.TRAILER_BYTES;
    ByteBuffer end = read(size - endBytes, endBytes);
    CRC32C checksum = new CRC32C();
    checksum.update(end.slice(0, endBytes - 2 * Integer.BYTES));
    if ((int) checksum.getValue() != end.getInt(endBytes - 2 * Integer.BYTES)) {
      throw FileFailure.corruptObjectFile(path, "the checksum of its index is wrong");
    }
    for (int at = 0; at < indexBytes; at += Long.BYTES) {
      long offset = end.getLong(at);
      if (offset >= split.begin() && offset < split.end()) {
        if (batchesLeft == 0) {
          channel.position(offset);
        }
        batchesLeft++;
      }
    }
  }

  private ByteBuffer read(long offset, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    channel.position(offset);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        throw new EOFException("it became shorter while it was read");
      }
    }
    return bytes.flip();
  }

  boolean hasNext() {
    return recordsLeft > 0 || batchesLeft > 0;
  }

  Object next() {
    try {
      if (recordsLeft == 0) {
        openBatch();
      }
      return nextOfBatch();
    } catch (ClassNotFoundException e) {
      throw FileFailure.recordClassMissing(path, e);
    } catch (Nesting.TooDeep e) {
      throw FileFailure.corruptObjectFile(path, e.getMessage());
    } catch (IOException e) {
      throw FileFailure.unreadable(path, e);
    }
  }

  /// What is nested too deeply for this stack is read on a large one, with the rest of its batch.
  private Object nextOfBatch() throws IOException, ClassNotFoundException {
    Object record;
    if (isDeep) {
      record = onLargeStack(objects::readObject);
    } else {
      try {
        record = objects.readObject();
      } catch (IOException e) {
        if (!Nesting.isTooDeep(e)) {
          throw e;
        }
        isDeep = true;
        record = onLargeStack(this::readAgain);
      }
    }
    recordsRead++;
    recordsLeft--;
    return record;
  }

  private Object readAgain() throws IOException, ClassNotFoundException {
    openObjects();
    for (int i = 0; i < recordsRead; i++) {
      Object _ = objects.readObject();
    }
    return objects.readObject();
  }

  private static Object onLargeStack(Callable<Object> work)
      throws IOException, ClassNotFoundException {
    try {
      return Nesting.onLargeStack(work);
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e); // the work throws no other
    }
  }

  private void openObjects() throws IOException {
    objects = classes.objects(new ByteArrayInputStream(content));
    Nesting.watch(objects);
  }

  private void openBatch() throws IOException {
    batchesLeft--;
    recordsLeft = in.readInt();
    int length = in.readInt();
    int expected = in.readInt();
    if (recordsLeft <= 0 || length < 0 || length > channel.size()) {
      throw FileFailure.corruptObjectFile(path, "a batch has no valid header");
    }
    content = in.readNBytes(length);
    CRC32C checksum = new CRC32C();
    checksum.update(content);
    if (content.length < length || (int) checksum.getValue() != expected) {
      throw FileFailure.corruptObjectFile(path, "the checksum of a batch is wrong");
    }
    recordsRead = 0;
    isDeep = false;
    openObjects();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw FileFailure.unreadable(path, e);
    }
  }
}
