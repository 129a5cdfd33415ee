package io.kiln.storage.remote;

import io.kiln.api.KilnException;
import io.kiln.network.codec.WireFormatException;
import io.kiln.network.codec.WireReader;
import io.kiln.network.transport.ContentStream;
import io.kiln.process.disk.DiskFileWriter;
import io.kiln.process.disk.StoredSegment;
import io.kiln.protocol.DataHolder;
import io.kiln.protocol.MapOutputLocations;
import io.kiln.shuffle.server.ShuffleAnswer;
import io.kiln.shuffle.server.ShuffleContent;
import io.kiln.shuffle.server.ShuffleRequest.CheckShuffle;
import io.kiln.shuffle.server.ShuffleRequest.FetchShuffle;
import io.kiln.storage.shuffle.ShuffleFetchFailure;
import io.kiln.storage.shuffle.ShuffleRange;
import io.kiln.storage.shuffle.TaskResources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Fetches all that one executor has for a task. Used by one virtual thread.
///
/// ```
///               the stream has all                        done
///   Asking ───────────────────────────────────────────────────► Done
///     ▲  │ it can't be reached, or breaks off; the driver still knows the executor
///     └──┘   (at most `maxRetries` times in a row, from the first segment that is missing)
///     │ the driver says that another executor has the output now
///     ├──────────────────────────────────────────────────────► Moved: others fetch the rest
///     │ the driver doesn't know it any more, it doesn't hold an output, or too many times
///     └──────────────────────────────────────────────────────► failed
/// ```
///
/// A segment whose checksum is wrong is asked for once more on its own; if it is wrong again, the
/// executor is asked whether its disk has it right.
final class HolderFetch {
  private static final Logger logger = LoggerFactory.getLogger(HolderFetch.class);
  private static final String NOT_ON_DISK = "the executor's disk doesn't have it any more";
  private static final int CHUNK_BYTES = 256 << 10;
  private static final int COPIED_BYTES = 64 << 10;

  private final Peers peers;
  private final DataHolder holder;
  private final ShuffleRange range;
  private final int[] maps;
  private final FetchWindow window;
  private final TaskResources resources;
  private final long largeBytes;
  private final CRC32C crc = new CRC32C();

  // what is missing begins here
  private int mapIndex;
  private int nextReduce;

  // verified segments, joined
  private byte[] chunk = new byte[0];
  private int chunkBytes;
  private int chunkBlocks;
  private SegmentOrigin chunkOrigin;

  private int failuresInARow;

  /// @param maps whose outputs the holder has
  /// @param largeBytes from which on a segment goes through a file
  HolderFetch(
      Peers peers,
      DataHolder holder,
      ShuffleRange range,
      int[] maps,
      FetchWindow window,
      TaskResources resources,
      long largeBytes) {
    this.peers = peers;
    this.holder = holder;
    this.range = range;
    this.maps = maps;
    this.window = window;
    this.resources = resources;
    this.largeBytes = largeBytes;
    this.nextReduce = range.first();
  }

  /// Returns when the window has got all, or all that the holder could give.
  ///
  /// @return those that are to get the rest, from others that have it by now
  /// @throws RuntimeException a [ShuffleFetchFailure], or that there is no room on disk
  List<HolderFetch> run() throws InterruptedException {
    List<HolderFetch> others = List.of();
    while (mapIndex < maps.length && others.isEmpty()) {
      try {
        receiveAll();
      } catch (IOException | WireFormatException e) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        others = waitForRetry(e);
      }
    }
    giveChunk();
    return others;
  }

  private void receiveAll() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    try (ContentStream stream = ask(Arrays.copyOfRange(maps, mapIndex, maps.length))) {
      receive(stream);
    } finally {
      resources.read().addRequest(System.nanoTime() - begin);
    }
  }

  private ContentStream ask(int[] wanted) throws IOException, InterruptedException {
    return open(new FetchShuffle(range.shuffleId(), wanted, range.first(), range.end()), here());
  }

  private ContentStream open(FetchShuffle request, SegmentOrigin origin)
      throws IOException, InterruptedException {
    try {
      return peers.transport().open(holder.address(), request);
    } catch (KilnException refused) {
      throw origin.missing(refused.getMessage(), refused);
    }
  }

  private SegmentOrigin here() {
    return new SegmentOrigin(holder.executorId(), range.shuffleId(), maps[mapIndex], nextReduce);
  }

  /// @return those that are to get the rest; none if this one goes on
  private List<HolderFetch> waitForRetry(Exception why) throws InterruptedException {
    SegmentOrigin origin = here();
    failuresInARow++;
    if (failuresInARow > peers.options().maxRetries()) {
      throw origin.missing(
          "it was asked " + failuresInARow + " times in vain: " + why.getMessage(), why);
    }
    MapOutputLocations now;
    try {
      now = peers.locations().mapOutputs(range.shuffleId());
    } catch (IOException e) {
      throw origin.missing("the driver can't be asked where it is: " + e.getMessage(), e);
    }
    if (now.isMissing(origin.mapPartition())) {
      throw origin.missing("the executor is lost: " + why.getMessage(), why);
    }
    if (!now.has(holder.executorId(), origin.mapPartition())) {
      logger.info(
          "{} has moved its map outputs; they are asked for elsewhere", holder.executorId());
      return rest(now);
    }
    logger.info(
        "{} at {} is asked again for map outputs in {} ms: {}",
        holder.executorId(),
        holder.address(),
        peers.options().retryWait().toMillis(),
        why.toString());
    Thread.sleep(peers.options().retryWait());
    return List.of();
  }

  /// What is missing still, by those who have it.
  private List<HolderFetch> rest(MapOutputLocations now) {
    Map<DataHolder, IntStream.Builder> mapsOf = new LinkedHashMap<>();
    List<HolderFetch> fetches = new ArrayList<>();
    for (int i = mapIndex; i < maps.length; i++) {
      if (now.isMissing(maps[i])) {
        throw new SegmentOrigin("", range.shuffleId(), maps[i], range.first())
            .missing("no executor has it", null);
      }
      DataHolder having = now.holder(maps[i]);
      if (i == mapIndex && nextReduce > range.first()) {
        HolderFetch begun = fetch(having, new int[] {maps[i]});
        begun.nextReduce = nextReduce;
        fetches.add(begun);
      } else {
        mapsOf.computeIfAbsent(having, _ -> IntStream.builder()).add(maps[i]);
      }
    }
    mapsOf.forEach((having, some) -> fetches.add(fetch(having, some.build().toArray())));
    return fetches;
  }

  private HolderFetch fetch(DataHolder from, int[] some) {
    return new HolderFetch(peers, from, range, some, window, resources, largeBytes);
  }

  private void receive(ContentStream stream) throws IOException, InterruptedException {
    WireReader table = ShuffleAnswer.table(stream);
    while (mapIndex < maps.length) {
      int state = table.readByte();
      if (state != ShuffleContent.HELD) {
        throw here()
            .missing(
                state == ShuffleContent.LOST ? NOT_ON_DISK : "the executor doesn't hold it", null);
      }
      for (int reduce = range.first(); reduce < range.end(); reduce++) {
        long length = table.readUnsigned();
        int checksum = length == 0 ? 0 : table.readFixedInt();
        if (reduce < nextReduce) {
          stream.skipNBytes(length); // it came before the last stream broke
          continue;
        }
        receiveSegment(stream, length, checksum);
        nextReduce = reduce + 1;
        failuresInARow = 0;
      }
      mapIndex++;
      nextReduce = range.first();
    }
  }

  private void receiveSegment(ContentStream stream, long length, int checksum)
      throws IOException, InterruptedException {
    if (length == 0 || take(stream, length, checksum)) {
      return;
    }
    SegmentOrigin origin = here();
    logger.warn("{} came with a wrong checksum and is asked for again", origin);
    int map = origin.mapPartition();
    int reduce = origin.reducePartition();
    FetchShuffle again = new FetchShuffle(range.shuffleId(), new int[] {map}, reduce, reduce + 1);
    try (ContentStream second = open(again, origin)) {
      WireReader table = ShuffleAnswer.table(second);
      if (table.readByte() != ShuffleContent.HELD) {
        throw origin.missing(NOT_ON_DISK, null);
      }
      long secondLength = table.readUnsigned();
      if (secondLength > 0 && !take(second, secondLength, table.readFixedInt())) {
        throw origin.corrupted(whoseFault(origin));
      }
    }
  }

  private String whoseFault(SegmentOrigin origin) throws InterruptedException {
    CheckShuffle check =
        new CheckShuffle(origin.shuffleId(), origin.mapPartition(), origin.reducePartition());
    try (ContentStream answer = peers.transport().open(holder.address(), check)) {
      return answer.read() == 1
          ? "it came twice with a wrong checksum, but the executor's disk has it right: the network"
              + " changed it"
          : "the disk of the executor does not have what was written";
    } catch (IOException | KilnException e) {
      return "it came twice with a wrong checksum, and whether the executor's disk has it right"
          + " can't be asked: "
          + e.getMessage();
    }
  }

  /// @return whether the segment was right; if not, it is dropped
  private boolean take(ContentStream stream, long length, int checksum)
      throws IOException, InterruptedException {
    if (length > largeBytes) {
      giveChunk();
      return takeIntoFile(stream, length, checksum);
    }
    int size = (int) length;
    if (chunk.length - chunkBytes < size) {
      giveChunk();
      int room = (int) Math.max(size, Math.min(CHUNK_BYTES, stream.lengthBytes()));
      window.reserve(room);
      chunk = new byte[room];
    }
    ShuffleAnswer.readFully(stream, chunk, chunkBytes, size);
    crc.reset();
    crc.update(chunk, chunkBytes, size);
    if ((int) crc.getValue() != checksum) {
      return false;
    }
    if (chunkBytes == 0) {
      chunkOrigin = here();
    }
    chunkBytes += size;
    chunkBlocks++;
    return true;
  }

  private void giveChunk() {
    if (chunkBytes > 0) {
      resources.read().addRemoteBlocks(chunkBlocks, chunkBytes);
      window.add(new FetchedRun.InMemory(chunkOrigin, chunk, chunkBytes));
    } else {
      window.release(chunk.length);
    }
    chunk = new byte[0];
    chunkBytes = 0;
    chunkBlocks = 0;
  }

  private boolean takeIntoFile(ContentStream stream, long length, int checksum) throws IOException {
    DiskFileWriter file = resources.newSpill();
    byte[] copied = new byte[COPIED_BYTES];
    crc.reset();
    try {
      for (long left = length; left > 0; ) {
        int count = (int) Math.min(left, copied.length);
        ShuffleAnswer.readFully(stream, copied, 0, count);
        crc.update(copied, 0, count);
        onOwnDisk(() -> file.write(copied, 0, count));
        left -= count;
      }
      onOwnDisk(file::close);
    } finally {
      file.abort();
      resources.settled(file);
    }
    if ((int) crc.getValue() != checksum) {
      resources.removeSpill(file.path());
      return false;
    }
    resources.read().addRemoteBlockToDisk(length);
    StoredSegment segment = new StoredSegment(0, length, checksum);
    window.add(new FetchedRun.InFile(here(), file.path(), segment));
    return true;
  }

  private interface Writing {
    void run() throws IOException;
  }

  /// A failure is not the holder's, so nobody is asked again.
  private static void onOwnDisk(Writing writing) {
    try {
      writing.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
