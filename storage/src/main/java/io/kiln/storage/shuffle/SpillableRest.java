package io.kiln.storage.shuffle;

import io.kiln.process.disk.DiskFileWriter;
import io.kiln.process.disk.StoredSegment;
import io.kiln.storage.disk.SegmentWriter;
import io.kiln.storage.serializer.ObjectReader;
import io.kiln.storage.serializer.ObjectWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;

/// Records in memory that are being read; the rest can be moved to disk at any moment between two
/// of them, when another part of the task needs the memory. Used by the task's thread.
final class SpillableRest implements Iterator<Object> {
  private final TaskResources resources;
  private Iterator<?> current;
  private boolean inMemory = true;

  SpillableRest(Iterator<?> current, TaskResources resources) {
    this.current = current;
    this.resources = resources;
  }

  @Override
  public boolean hasNext() {
    return current.hasNext();
  }

  @Override
  public Object next() {
    return current.next();
  }

  /// Whether there is still something in memory to spill.
  boolean canSpill() {
    return inMemory && current.hasNext();
  }

  void spill() throws IOException {
    DiskFileWriter file = resources.newSpill();
    SegmentWriter segments = new SegmentWriter(file, resources.spillFormat());
    ObjectWriter records = new ObjectWriter(segments.bytes(), resources.serializer());
    while (current.hasNext()) {
      records.write(current.next());
    }
    StoredSegment segment = segments.end();
    file.close();
    resources.settled(file);
    resources.diskSpilled.addAndGet(segment.length());
    SpillRun run =
        new SpillRun(file.path(), new StoredSegment[] {segment}, resources.spillFormat());
    current = new RunIterator(run, resources);
    inMemory = false;
  }

  /// The records of a run with one segment; the file is removed after the last.
  static final class RunIterator implements Iterator<Object> {
    private final SpillRun run;
    private final TaskResources resources;
    private final ObjectReader reader;
    private boolean done;

    RunIterator(SpillRun run, TaskResources resources) throws IOException {
      this.run = run;
      this.resources = resources;
      this.reader = run.open(0, resources);
    }

    @Override
    public boolean hasNext() {
      try {
        if (!done && !reader.hasNext()) {
          done = true;
          reader.close();
          resources.removeSpill(run.path());
        }
        return !done;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public Object next() {
      if (!hasNext()) {
        throw new java.util.NoSuchElementException();
      }
      try {
        return reader.read();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
