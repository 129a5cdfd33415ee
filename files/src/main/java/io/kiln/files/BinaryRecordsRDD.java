package io.kiln.files;

import io.kiln.api.KilnContext;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.Sink;
import io.kiln.api.TaskContext;
import io.kiln.base.filesystem.FileSystems;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/// Records of one length, back to back in files; a split holds whole records.
final class BinaryRecordsRDD extends RDD<byte[]> {
  private static final int BUFFER_BYTES = 256 * 1024;

  private final transient Input<FileSplit> input;
  private final FileSystems files;
  private final int recordBytes;

  BinaryRecordsRDD(KilnContext context, Input<FileSplit> input, int recordBytes) {
    super(context, List.of());
    this.input = input;
    this.files = input.files();
    this.recordBytes = recordBytes;
  }

  @Override
  protected List<FileSplit> computePartitions() {
    return input.partitions();
  }

  @Override
  protected List<String> computePreferredLocations(Partition split) {
    return input.hosts(split.index());
  }

  @Override
  public Iterator<byte[]> compute(Partition split, TaskContext task) {
    FileSplit range = (FileSplit) split;
    InputStream in = open(range);
    task.onCompletion(() -> close(in, range));
    return new Iterator<>() {
      private long position = range.begin();

      @Override
      public boolean hasNext() {
        return position < range.end();
      }

      @Override
      public byte[] next() {
        if (!hasNext()) {
          throw new NoSuchElementException("no more records");
        }
        position += recordBytes;
        task.throwIfInterrupted();
        return read(in, range);
      }
    };
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super byte[]> sink)
      throws Exception {
    FileSplit range = (FileSplit) split;
    try (InputStream in = open(range)) {
      for (long position = range.begin(); position < range.end(); position += recordBytes) {
        if (!sink.accept(read(in, range))) {
          return;
        }
        task.throwIfInterrupted();
      }
    }
  }

  private byte[] read(InputStream in, FileSplit range) {
    try {
      byte[] record = in.readNBytes(recordBytes);
      if (record.length < recordBytes) {
        throw new EOFException("it became shorter while it was read");
      }
      return record;
    } catch (IOException e) {
      throw FileFailure.unreadable(range.path(), e);
    }
  }

  private InputStream open(FileSplit range) {
    try {
      SeekableByteChannel channel = files.at(range.path()).open(range.path());
      try {
        channel.position(range.begin());
      } catch (IOException e) {
        try (channel) {
          throw e;
        }
      }
      int size = (int) Math.min(BUFFER_BYTES, Math.max(1, range.end() - range.begin()));
      return new BufferedInputStream(Channels.newInputStream(channel), size);
    } catch (IOException e) {
      throw FileFailure.unreadable(range.path(), e);
    }
  }

  private static void close(InputStream in, FileSplit range) {
    try {
      in.close();
    } catch (IOException e) {
      throw FileFailure.unreadable(range.path(), e);
    }
  }
}
