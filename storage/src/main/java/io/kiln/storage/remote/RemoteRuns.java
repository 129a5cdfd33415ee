package io.kiln.storage.remote;

import io.kiln.api.KilnException;
import io.kiln.protocol.DataHolder;
import io.kiln.protocol.MapOutputLocations;
import io.kiln.shuffle.ShuffleStore;
import io.kiln.storage.compression.FrameDecoder;
import io.kiln.storage.disk.SegmentReader;
import io.kiln.storage.serializer.ByteReader;
import io.kiln.storage.shuffle.OwnRuns;
import io.kiln.storage.shuffle.ShuffleFetchFailure;
import io.kiln.storage.shuffle.ShuffleRange;
import io.kiln.storage.shuffle.StoredRuns;
import io.kiln.storage.shuffle.TaskResources;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/// Reads the map outputs of all processes: its own from disk, while those of others come by
/// themselves, in the order in which they come. Used by the task's thread; virtual ones fetch.
///
/// The bytes in flight are bounded. Half of them are for what the streams themselves hold, half for
/// what has come and waits. A segment that would take more than a quarter of that half goes through
/// a file: its checksum is verified before a byte of it is given out, so in memory it would stop
/// all other streams, and take the heap of who knows how many tasks at once.
final class RemoteRuns implements StoredRuns {
  private static final int STREAM_BYTES = 4 << 20;
  private static final Duration FAREWELL = Duration.ofSeconds(10);

  private final TaskResources resources;
  private final ShuffleStore store;
  private final Peers peers;
  private final ShuffleRange range;
  private final List<Thread> threads = new ArrayList<>();
  private Optional<OwnRuns> own = Optional.empty();
  private Optional<FetchWindow> window = Optional.empty();
  private Optional<FetchedRun> current = Optional.empty();

  RemoteRuns(TaskResources resources, ShuffleStore store, Peers peers, ShuffleRange range) {
    this.resources = resources;
    this.store = store;
    this.peers = peers;
    this.range = range;
  }

  @Override
  public Optional<ByteReader> next() {
    try {
      if (window.isEmpty()) {
        begin(
            range.first() < range.end() ? locate() : new MapOutputLocations(List.of(), new int[0]));
      }
      giveBackCurrent();
      if (own.isPresent()) {
        Optional<ByteReader> run = own.get().next();
        if (run.isPresent()) {
          return run;
        }
        own = Optional.empty();
      }
      long begin = System.nanoTime();
      current = window.orElseThrow().take(resources.memory());
      resources.read().addWait(System.nanoTime() - begin);
      return current.map(this::open);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KilnException(
          "TASK_INTERRUPTED",
          KilnException.Kind.RESOURCES,
          "a task was interrupted while it waited for map outputs",
          e);
    }
  }

  private MapOutputLocations locate() throws InterruptedException {
    MapOutputLocations locations;
    try {
      locations = resources.memory().during(() -> peers.locations().mapOutputs(range.shuffleId()));
    } catch (IOException e) {
      throw nowhere(0).missing("the driver can't be asked where it is: " + e.getMessage(), e);
    }
    for (int map = 0; map < range.numMaps(); map++) {
      if (locations.isMissing(map)) {
        throw nowhere(map).missing("no executor has it", null);
      }
    }
    return locations;
  }

  private SegmentOrigin nowhere(int map) {
    return new SegmentOrigin("", range.shuffleId(), map, range.first());
  }

  private void begin(MapOutputLocations locations) {
    List<IntStream.Builder> maps = new ArrayList<>();
    locations.holders().forEach(_ -> maps.add(IntStream.builder()));
    for (int map = 0; map < Math.min(range.numMaps(), locations.holderOfMap().length); map++) {
      maps.get(locations.holderOfMap()[map]).add(map);
    }
    FetchOptions options = peers.options();
    long waitingBytes = Math.max(1, options.maxBytesInFlight() / 2);
    List<HolderFetch> fetches = new ArrayList<>();
    FetchWindow opened = new FetchWindow(waitingBytes);
    for (int i = 0; i < maps.size(); i++) {
      DataHolder holder = locations.holders().get(i);
      int[] held = maps.get(i).build().toArray();
      if (holder.executorId().equals(peers.self().executorId())) {
        own = Optional.of(new OwnRuns(resources, store, range, IntStream.of(held).iterator()));
      } else if (held.length > 0) {
        long largeBytes = Math.min(waitingBytes / 4, options.maxSegmentInMemoryBytes());
        fetches.add(new HolderFetch(peers, holder, range, held, opened, resources, largeBytes));
      }
    }
    window = Optional.of(opened);
    Collections.rotate(fetches, range.first()); // not all tasks ask the same one first
    int streams = Math.clamp(waitingBytes / STREAM_BYTES, 1, options.maxRequestsInFlight());
    fetch(new ConcurrentLinkedQueue<>(fetches), Math.min(streams, fetches.size()), opened);
  }

  private void fetch(Queue<HolderFetch> fetches, int streams, FetchWindow into) {
    if (streams == 0) {
      return;
    }
    into.beginFetching(streams);
    resources.atEnd(this::stopFetching);
    for (int i = 0; i < streams; i++) {
      threads.add(Thread.ofVirtual().name("kiln-fetch").start(() -> fetchAll(fetches, into)));
    }
  }

  private static void fetchAll(Queue<HolderFetch> fetches, FetchWindow into) {
    try {
      for (HolderFetch fetch = fetches.poll(); fetch != null; fetch = fetches.poll()) {
        fetches.addAll(fetch.run());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the task ends: nobody waits any more
    } catch (Throwable e) { // memory may be short too: the task must not wait for ever
      into.fail(e);
    } finally {
      into.fetcherEnded();
    }
  }

  private void stopFetching() {
    threads.forEach(Thread::interrupt);
    boolean interrupted = Thread.interrupted();
    for (Thread thread : threads) {
      try {
        boolean _ = thread.join(FAREWELL);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private ByteReader open(FetchedRun run) {
    return switch (run) {
      case FetchedRun.InMemory memory ->
          new ByteReader(
              new FrameDecoder(
                  resources.shuffleFormat(),
                  new ByteArrayInputStream(memory.bytes(), 0, memory.length())));
      case FetchedRun.InFile file -> {
        try {
          yield SegmentReader.open(file.path(), file.segment(), resources.shuffleFormat());
        } catch (IOException e) {
          throw new UncheckedIOException(e); // of this process's own disk
        }
      }
    };
  }

  private void giveBackCurrent() {
    current.ifPresent(
        run -> {
          switch (run) {
            case FetchedRun.InMemory memory -> window.orElseThrow().release(memory.bytes().length);
            case FetchedRun.InFile file -> resources.removeSpill(file.path());
          }
        });
    current = Optional.empty();
  }

  @Override
  public ShuffleFetchFailure unreadable(IOException why) {
    return current.isPresent()
        ? current.get().origin().missing("it can't be decoded: " + why.getMessage(), why)
        : own.orElseThrow().unreadable(why);
  }
}
