package io.kiln.storage.shuffle;

import io.kiln.api.Aggregator;
import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.api.Records;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.Sink;
import io.kiln.storage.serializer.ByteReader;
import io.kiln.storage.serializer.ObjectReader;
import java.io.IOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;

/// The records of some reduce partitions of a shuffle. Used by the task's thread, once.
final class ShuffleReader<K, C> implements Records<Pair<K, C>> {
  private final TaskResources resources;
  private final MapOutputSource source;
  private final ShuffleDependency<K, ?, C> shuffle;
  private final ShuffleRange range;
  private final Consumer<ShuffleFetchFailure> onFailure;

  ShuffleReader(
      TaskResources resources,
      MapOutputSource source,
      ShuffleDependency<K, ?, C> shuffle,
      int first,
      int end,
      Consumer<ShuffleFetchFailure> onFailure) {
    this.resources = resources;
    this.source = source;
    this.shuffle = shuffle;
    this.range = new ShuffleRange(shuffle.shuffleId(), shuffle.numMaps(), first, end);
    this.onFailure = onFailure;
  }

  @Override
  @SuppressWarnings("unchecked") // without an aggregator, what is stored is what the child gets
  public Iterator<Pair<K, C>> iterator() throws Exception {
    Optional<Records<Pair<K, C>>> gathered = gather();
    return gathered.isPresent()
        ? gathered.get().iterator()
        : (Iterator<Pair<K, C>>) (Iterator<?>) new Stored();
  }

  @Override
  @SuppressWarnings("unchecked") // as above
  public void forEach(Sink<? super Pair<K, C>> sink) throws Exception {
    Optional<Records<Pair<K, C>>> gathered = gather();
    if (gathered.isPresent()) {
      gathered.get().forEach(sink);
      return;
    }
    Stored stored = new Stored();
    while (stored.hasNext()) {
      if (!sink.accept((Pair<K, C>) stored.next())) {
        return;
      }
    }
  }

  /// Combines and sorts, if the dependency asks for it.
  @SuppressWarnings("unchecked") // as above
  private Optional<Records<Pair<K, C>>> gather() throws Exception {
    Optional<Records<Pair<K, C>>> combined =
        shuffle.aggregator().isPresent() ? Optional.of(combine()) : Optional.empty();
    if (shuffle.keyOrder().isEmpty()) {
      return combined;
    }
    RecordSorter<K, C> sorter = new RecordSorter<>(shuffle.keyOrder().get(), resources);
    if (combined.isPresent()) {
      combined
          .get()
          .forEach(
              pair -> {
                sorter.add(pair);
                return true;
              });
    } else {
      Stored stored = new Stored();
      while (stored.hasNext()) {
        sorter.add((Pair<K, C>) stored.next());
      }
    }
    return Optional.of(sorter.results());
  }

  @SuppressWarnings("unchecked") // the map side wrote values, or combiners if it combined
  private Records<Pair<K, C>> combine() throws Exception {
    Aggregator<Object, C> aggregator =
        (Aggregator<Object, C>) (Aggregator<?, C>) shuffle.aggregator().orElseThrow();
    SpillingCombiner<K, Object, C> combiner =
        new SpillingCombiner<>(aggregator, Optional.empty(), resources);
    Stored stored = new Stored();
    if (shuffle.mapSideCombine()) {
      while (stored.hasNext()) {
        Pair<Object, Object> pair = stored.next();
        combiner.insertCombined((K) pair.key(), (C) pair.value());
      }
    } else {
      while (stored.hasNext()) {
        Pair<Object, Object> pair = stored.next();
        combiner.insert((K) pair.key(), pair.value());
      }
    }
    return combiner.results();
  }

  /// The records of what is stored.
  private final class Stored implements Iterator<Pair<Object, Object>> {
    private final StoredRuns runs = source.open(resources, range);
    private ObjectReader reader =
        new ObjectReader(new ByteReader(new byte[0]), resources.serializer());
    private final PlacedKeys placed = new PlacedKeys(shuffle.partitioner(), range);
    private long records;

    @Override
    public boolean hasNext() {
      try {
        while (!reader.hasNext()) {
          reader.close();
          resources.read().addRecords(records);
          records = 0;
          Optional<ByteReader> next = runs.next();
          if (next.isEmpty()) {
            return false;
          }
          reader = new ObjectReader(next.get(), resources.serializer());
        }
        return true;
      } catch (ShuffleFetchFailure e) {
        throw failed(e);
      } catch (IOException e) {
        throw failed(runs.unreadable(e));
      }
    }

    @Override
    @SuppressWarnings("unchecked") // a shuffle holds pairs
    public Pair<Object, Object> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      resources.memory().throwIfCancelled();
      records++;
      try {
        Pair<Object, Object> pair = (Pair<Object, Object>) reader.read();
        placed.check(pair.key());
        return pair;
      } catch (IOException e) {
        throw new KilnException(
            "NOT_DESERIALIZABLE",
            KilnException.Kind.APPLICATION,
            "a record of shuffle "
                + range.shuffleId()
                + " can't be read: "
                + e.getClass().getSimpleName()
                + ": "
                + e.getMessage(),
            e);
      }
    }

    private ShuffleFetchFailure failed(ShuffleFetchFailure failure) {
      onFailure.accept(failure);
      return failure;
    }
  }
}
