package io.kiln.storage.shuffle;

import io.kiln.api.Pair;
import io.kiln.api.Records;
import io.kiln.process.disk.DiskFileWriter;
import io.kiln.process.disk.StoredSegment;
import io.kiln.storage.disk.SegmentWriter;
import io.kiln.storage.serializer.ObjectReader;
import io.kiln.storage.serializer.ObjectWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.PriorityQueue;

/// Sorts pairs by key, stably: in memory while there is room; else in runs on disk that are merged.
/// Used by the task's thread.
final class RecordSorter<K, C> implements AutoCloseable {
  private static final int FIRST_CAPACITY = 64;

  private final Comparator<? super K> order;
  private final TaskResources resources;
  private final MemoryGate gate;
  private final GrowthEstimate growth = new GrowthEstimate();
  private final List<SpillRun> runs = new ArrayList<>();
  private Pair<K, C>[] pairs = newArray(FIRST_CAPACITY);
  private int size;
  private int untilLook = 1;
  private boolean adding = true;
  private Optional<SpillableRest> rest = Optional.empty();

  RecordSorter(Comparator<? super K> order, TaskResources resources) {
    this.order = order;
    this.resources = resources;
    this.gate = new MemoryGate(resources.memory(), "a sort", this::spillForOthers);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic class has no other form
  private static <K, C> Pair<K, C>[] newArray(int capacity) {
    return new Pair[capacity];
  }

  void add(Pair<K, C> pair) throws IOException {
    if (size == pairs.length) {
      long needed = growth.bytes(size) + (12L + KeySort.BYTES_PER_RECORD) * size;
      if (size > Integer.MAX_VALUE / 2 || !gate.allows(needed)) {
        spill();
      } else {
        pairs = Arrays.copyOf(pairs, 2 * size);
      }
    }
    pairs[size++] = pair;
    if (--untilLook == 0) {
      growth.look(null, pair, pair, growth.interval());
      untilLook = growth.interval();
      if (!gate.allows(
          growth.bytes(size) + 4L * pairs.length + (long) KeySort.BYTES_PER_RECORD * size)) {
        spill();
      }
    }
  }

  private void spill() throws IOException {
    KeySort.sort(pairs, size, order, resources.memory()::throwIfCancelled);
    DiskFileWriter file = resources.newSpill();
    SegmentWriter segments = new SegmentWriter(file, resources.spillFormat());
    ObjectWriter records = new ObjectWriter(segments.bytes(), resources.serializer());
    for (int i = 0; i < size; i++) {
      resources.memory().throwIfCancelled();
      records.write(pairs[i]);
    }
    StoredSegment segment = segments.end();
    file.close();
    resources.settled(file);
    runs.add(new SpillRun(file.path(), new StoredSegment[] {segment}, resources.spillFormat()));
    resources.diskSpilled.addAndGet(segment.length());
    dropPairs();
    resources.memorySpilled.addAndGet(gate.releaseAll());
  }

  private void dropPairs() {
    pairs = newArray(FIRST_CAPACITY);
    size = 0;
    growth.reset();
  }

  private long spillForOthers() throws IOException {
    long before = resources.memorySpilled.get();
    if (adding) {
      if (size == 0) {
        return 0;
      }
      spill();
    } else if (rest.isPresent() && rest.get().canSpill()) {
      rest.get().spill();
      dropPairs();
      resources.memorySpilled.addAndGet(gate.releaseAll());
    }
    return resources.memorySpilled.get() - before;
  }

  /// All pairs in order, once.
  Records<Pair<K, C>> results() throws IOException {
    adding = false;
    gate.beginReading();
    if (!runs.isEmpty()) {
      if (size > 0) {
        spill();
      }
      Merge merge = new Merge();
      return () -> merge;
    }
    KeySort.sort(pairs, size, order, resources.memory()::throwIfCancelled);
    SpillableRest left = new SpillableRest(new Drain<>(pairs, size), resources);
    rest = Optional.of(left);
    return () ->
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            boolean more = left.hasNext();
            if (!more) {
              close();
            }
            return more;
          }

          @Override
          @SuppressWarnings("unchecked") // what was added
          public Pair<K, C> next() {
            return (Pair<K, C>) left.next();
          }
        };
  }

  /// Gives memory and spills back. Idempotent.
  @Override
  public void close() {
    adding = false;
    rest = Optional.empty();
    dropPairs();
    gate.close();
    for (SpillRun run : runs) {
      resources.removeSpill(run.path());
    }
    runs.clear();
  }

  /// Lets go of each element once it was read.
  private static final class Drain<T> implements Iterator<T> {
    private final T[] elements;
    private final int size;
    private int next;

    Drain(T[] elements, int size) {
      this.elements = elements;
      this.size = size;
    }

    @Override
    public boolean hasNext() {
      return next < size;
    }

    @Override
    public T next() {
      if (next >= size) {
        throw new NoSuchElementException();
      }
      return elements[next++];
    }
  }

  private final class Merge implements Iterator<Pair<K, C>> {
    private final PriorityQueue<Head<K, C>> heads =
        new PriorityQueue<>(
            Comparator.<Head<K, C>, K>comparing(head -> head.pair.key(), order)
                .thenComparingInt(head -> head.run));

    Merge() throws IOException {
      for (int i = 0; i < runs.size(); i++) {
        Head<K, C> head = new Head<>(i, runs.get(i).open(0, resources));
        if (head.advance()) {
          heads.add(head);
        }
      }
    }

    @Override
    public boolean hasNext() {
      if (heads.isEmpty()) {
        close();
        return false;
      }
      return true;
    }

    @Override
    public Pair<K, C> next() {
      Head<K, C> head = heads.remove();
      Pair<K, C> pair = head.pair;
      if (Sneaky.get(head::advance)) {
        heads.add(head);
      }
      return pair;
    }
  }

  private static final class Head<K, C> {
    private final int run;
    private final ObjectReader reader;
    private Pair<K, C> pair;

    Head(int run, ObjectReader reader) {
      this.run = run;
      this.reader = reader;
    }

    @SuppressWarnings("unchecked") // what was added
    boolean advance() throws IOException {
      if (!reader.hasNext()) {
        reader.close();
        return false;
      }
      pair = (Pair<K, C>) reader.read();
      return true;
    }
  }
}
