package io.kiln.storage.shuffle;

import io.kiln.api.Aggregator;
import io.kiln.api.Pair;
import io.kiln.api.Partitioner;
import io.kiln.api.Records;
import io.kiln.api.Sink;
import io.kiln.api.function.BinaryOperator;
import io.kiln.api.spi.CombiningMap;
import io.kiln.api.spi.KeyHash;
import io.kiln.process.disk.DiskFileWriter;
import io.kiln.process.disk.StoredSegment;
import io.kiln.storage.disk.SegmentWriter;
import io.kiln.storage.serializer.ObjectWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/// Combines values by key in a [CombineTable]; when memory runs out, the table is written to disk,
/// sorted by partition and hash code, and begun anew; at the end the runs are merged. Used by the
/// task's thread.
///
/// First inserts, then once the results: as a whole, or partition by partition.
final class SpillingCombiner<K, V, C> implements CombiningMap<K, V, C>, AutoCloseable {
  private final Aggregator<V, C> aggregator;
  private final Optional<Partitioner> partitioner;
  private final TaskResources resources;
  private final MemoryGate gate;
  private CombineTable table = new ObjectTable(CombineTable.FIRST_CAPACITY);
  private final GrowthEstimate growth = new GrowthEstimate();
  private final List<SpillRun> runs = new ArrayList<>();
  private int untilLook = 1;
  private boolean inserting = true;
  private Optional<SpillableRest> rest = Optional.empty();

  /// @param partitioner how results are grouped; without one they are one group
  SpillingCombiner(
      Aggregator<V, C> aggregator, Optional<Partitioner> partitioner, TaskResources resources) {
    this.aggregator = aggregator;
    this.partitioner = partitioner;
    this.resources = resources;
    this.gate = new MemoryGate(resources.memory(), "a combining table", this::spillForOthers);
  }

  @Override
  @SuppressWarnings("unchecked") // the table holds what was put under the same key
  public void insert(K key, V value) throws Exception {
    int hash = CombineTable.hashOf(key);
    int slot = table.slot(key, hash);
    Object combined;
    if (slot >= 0) {
      Object old = table.value(slot);
      combined = aggregator.mergeValue().apply((C) old, value);
      if (combined != old) {
        replace(slot, key, hash, combined);
      }
    } else {
      combined = aggregator.createCombiner().apply(value);
      add(slot, key, hash, combined);
    }
    if (--untilLook == 0) {
      look(key, value, combined);
    }
  }

  /// Joins a value that is combined already.
  @SuppressWarnings("unchecked") // as above
  void insertCombined(K key, C value) throws Exception {
    int hash = CombineTable.hashOf(key);
    int slot = table.slot(key, hash);
    Object combined = value;
    if (slot >= 0) {
      Object old = table.value(slot);
      combined = aggregator.mergeCombiners().apply((C) old, value);
      if (combined != old) {
        replace(slot, key, hash, combined);
      }
    } else {
      add(slot, key, hash, value);
    }
    if (--untilLook == 0) {
      look(key, value, combined);
    }
  }

  private void replace(int slot, Object key, int hash, Object combined) {
    if (table.takesValue(combined)) {
      table.setValue(slot, combined);
    } else {
      table = table.widenedFor(key, combined);
      table.setValue(table.slot(key, hash), combined);
    }
  }

  private void add(int missing, Object key, int hash, Object combined) throws IOException {
    KeyHash.require(key);
    int slot = ~missing;
    boolean first = table.size() == 0;
    boolean fits = !first && table.takesKey(key) && table.takesValue(combined);
    if (!fits || table.isFull()) {
      if (first) {
        table = CombineTable.fitting(key, combined);
      } else {
        if (table.isFull()) {
          makeRoom();
        }
        if (!fits) {
          table = table.widenedFor(key, combined);
        }
      }
      slot = ~table.slot(key, hash);
    }
    table.put(slot, key, hash, combined);
  }

  private void makeRoom() throws IOException {
    // while the table grows, both its old and its new arrays are there
    long needed =
        CombineTable.arrayBytes(3 * Math.min(table.capacity(), Integer.MAX_VALUE / 3))
            + growth.bytes(table.size());
    if (table.capacity() < CombineTable.MAX_CAPACITY && gate.allows(needed)) {
      table.grow();
    } else {
      spillTable();
    }
  }

  private void look(Object key, Object value, Object combined) throws IOException {
    growth.look(key, value, combined, growth.interval());
    untilLook = growth.interval();
    long bytes = CombineTable.arrayBytes(table.capacity()) + growth.bytes(table.size());
    if (!gate.allows(bytes)) {
      spillTable();
    }
  }

  private int numPartitions() {
    return partitioner.map(Partitioner::numPartitions).orElse(1);
  }

  private int[] slotsByPartition(int[] starts, boolean byHash) {
    int[] partitions = new int[table.capacity()];
    if (partitioner.isPresent()) {
      Partitioner known = partitioner.get();
      for (int slot = 0; slot < partitions.length; slot++) {
        if (table.isUsed(slot)) {
          partitions[slot] = known.partition(table.key(slot));
        }
      }
    }
    return table.slotsByPartition(partitions, starts, byHash);
  }

  private void spillTable() throws IOException {
    int count = numPartitions();
    int[] starts = new int[count + 1];
    int[] slots = slotsByPartition(starts, true);
    DiskFileWriter file = resources.newSpill();
    SegmentWriter segments = new SegmentWriter(file, resources.spillFormat());
    StoredSegment[] written = new StoredSegment[count];
    for (int partition = 0; partition < count; partition++) {
      ObjectWriter records = new ObjectWriter(segments.bytes(), resources.serializer());
      for (int i = starts[partition]; i < starts[partition + 1]; i++) {
        int slot = slots[i];
        resources.memory().throwIfCancelled();
        segments.bytes().writeInt(table.hash(slot));
        records.writePair(table.key(slot), table.value(slot));
      }
      written[partition] = segments.end();
    }
    file.close();
    resources.settled(file);
    runs.add(new SpillRun(file.path(), written, resources.spillFormat()));
    resources.diskSpilled.addAndGet(file.position());
    table.clear();
    growth.reset();
    resources.memorySpilled.addAndGet(gate.releaseAll());
  }

  private long spillForOthers() throws IOException {
    if (inserting) {
      if (table.size() == 0) {
        return 0;
      }
      long held = resources.memorySpilled.get();
      spillTable();
      return resources.memorySpilled.get() - held;
    }
    if (rest.isEmpty() || !rest.get().canSpill()) {
      return 0;
    }
    rest.get().spill();
    table.clear();
    long freed = gate.releaseAll();
    resources.memorySpilled.addAndGet(freed);
    return freed;
  }

  /// All results, as one group, once.
  @Override
  @SuppressWarnings("unchecked") // pairs of what was inserted
  public Records<Pair<K, C>> results() throws Exception {
    inserting = false;
    gate.beginReading();
    if (!runs.isEmpty()) {
      spillTable();
      return new MergedRecords<>(
          (RunMerge<K, C>) new RunMerge<>(runs, 0, aggregator.mergeCombiners(), resources), this);
    }
    SpillableRest left = new SpillableRest(new TableIterator(table), resources);
    rest = Optional.of(left);
    return new Records<>() {
      @Override
      public Iterator<Pair<K, C>> iterator() {
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            boolean more = left.hasNext();
            if (!more) {
              close();
            }
            return more;
          }

          @Override
          public Pair<K, C> next() {
            return (Pair<K, C>) left.next();
          }
        };
      }
    };
  }

  /// All results, partition after partition, once.
  ///
  /// @param output gets each pair
  /// @param endOfPartition called after each partition's last
  void writePartitions(PairOutput output, PartitionEnd endOfPartition) throws Exception {
    inserting = false;
    int count = numPartitions();
    if (runs.isEmpty()) {
      int[] starts = new int[count + 1];
      int[] slots = slotsByPartition(starts, false);
      for (int partition = 0; partition < count; partition++) {
        for (int i = starts[partition]; i < starts[partition + 1]; i++) {
          output.write(table.key(slots[i]), table.value(slots[i]));
        }
        endOfPartition.ended();
      }
      return;
    }
    spillTable();
    BinaryOperator<C> merge = aggregator.mergeCombiners();
    for (int partition = 0; partition < count; partition++) {
      try (RunMerge<K, C> merged = new RunMerge<>(runs, partition, merge, resources)) {
        while (merged.advance()) {
          output.write(merged.key(), merged.combined());
        }
      }
      endOfPartition.ended();
    }
  }

  /// Takes a pair without its being made.
  @FunctionalInterface
  interface PairOutput {
    void write(Object key, Object value) throws IOException;
  }

  /// Told when a partition is complete.
  @FunctionalInterface
  interface PartitionEnd {
    void ended() throws IOException;
  }

  /// Gives memory and spills back. Idempotent.
  @Override
  public void close() {
    inserting = false;
    rest = Optional.empty();
    table.clear();
    gate.close();
    for (SpillRun run : runs) {
      resources.removeSpill(run.path());
    }
    runs.clear();
  }

  private static final class TableIterator implements Iterator<Object> {
    private final CombineTable table;
    private final int end;
    private int index = -1;
    private int slot;

    TableIterator(CombineTable table) {
      this.table = table;
      this.end = table.capacity();
      advance();
    }

    private void advance() {
      while (++index < end) {
        slot = table.slotAt(index);
        if (table.isUsed(slot)) {
          return;
        }
      }
    }

    @Override
    public boolean hasNext() {
      return index < end;
    }

    @Override
    public Object next() {
      if (index >= end) {
        throw new NoSuchElementException();
      }
      Pair<Object, Object> pair = new Pair<>(table.key(slot), table.value(slot));
      advance();
      return pair;
    }
  }

  private record MergedRecords<K, C>(RunMerge<K, C> merge, SpillingCombiner<K, ?, C> owner)
      implements Records<Pair<K, C>> {

    @Override
    public Iterator<Pair<K, C>> iterator() {
      return new Iterator<>() {
        private boolean ready;
        private boolean done;

        @Override
        public boolean hasNext() {
          if (!ready && !done) {
            ready = Sneaky.get(merge::advance);
            if (!ready) {
              done = true;
              owner.close();
            }
          }
          return ready;
        }

        @Override
        public Pair<K, C> next() {
          if (!hasNext()) {
            throw new NoSuchElementException();
          }
          ready = false;
          return new Pair<>(merge.key(), merge.combined());
        }
      };
    }

    @Override
    public void forEach(Sink<? super Pair<K, C>> sink) throws Exception {
      while (merge.advance()) {
        if (!sink.accept(new Pair<>(merge.key(), merge.combined()))) {
          return;
        }
      }
      owner.close();
    }
  }
}
