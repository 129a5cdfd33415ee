package io.kiln.storage.shuffle;

import io.kiln.process.disk.SegmentFile;
import io.kiln.process.disk.StoredSegment;
import io.kiln.shuffle.CommittedOutput;
import io.kiln.shuffle.ShuffleStore;
import io.kiln.storage.disk.SegmentReader;
import io.kiln.storage.serializer.ByteReader;
import java.io.IOException;
import java.util.Optional;
import java.util.PrimitiveIterator;

/// Reads map outputs of this process, one after the other.
public final class OwnRuns implements StoredRuns {
  private final TaskResources resources;
  private final ShuffleStore store;
  private final ShuffleRange range;
  private final PrimitiveIterator.OfInt maps;
  private int mapPartition = -1;
  private int reducePartition;
  private Optional<CommittedOutput> output = Optional.empty();

  /// @param maps whose outputs are to be read
  public OwnRuns(
      TaskResources resources,
      ShuffleStore store,
      ShuffleRange range,
      PrimitiveIterator.OfInt maps) {
    this.resources = resources;
    this.store = store;
    this.range = range;
    this.maps = maps;
    this.reducePartition = range.end();
  }

  @Override
  public Optional<ByteReader> next() {
    while (true) {
      reducePartition++;
      while (reducePartition >= range.end()) {
        if (!maps.hasNext()) {
          return Optional.empty();
        }
        mapPartition = maps.nextInt();
        reducePartition = range.first();
        output = store.find(range.shuffleId(), mapPartition);
        resources.memory().throwIfCancelled();
        if (output.isEmpty() && range.first() < range.end()) {
          throw missing(
              store.hasLost(range.shuffleId(), mapPartition)
                  ? "this executor's disk doesn't have it any more"
                  : "it is not kept here",
              null);
        }
      }
      CommittedOutput there = output.orElseThrow();
      if (there.output().partitionBytes()[reducePartition] > 0) {
        return Optional.of(open(there));
      }
    }
  }

  private ByteReader open(CommittedOutput from) {
    StoredSegment segment = from.segment(reducePartition);
    try {
      ByteReader bytes = SegmentReader.open(from.dataFile(), segment, resources.shuffleFormat());
      resources.read().addLocalBlock(segment.length());
      return bytes;
    } catch (SegmentFile.CorruptedSegment e) {
      store.forget(from);
      throw new ShuffleBlockCorrupted(
          range.shuffleId(),
          mapPartition,
          reducePartition,
          Optional.empty(),
          "this executor's disk does not have what was written: " + describe(e),
          e);
    } catch (IOException e) {
      store.forget(from);
      throw unreadable(e);
    }
  }

  @Override
  public ShuffleFetchFailure unreadable(IOException why) {
    return missing("it can't be read from this executor's disk: " + describe(why), why);
  }

  private ShuffleBlockMissing missing(String why, IOException cause) {
    return new ShuffleBlockMissing(
        range.shuffleId(), mapPartition, reducePartition, Optional.empty(), why, cause);
  }

  private static String describe(IOException e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }
}
