package io.kiln.storage.remote;

import io.kiln.api.KilnException;
import io.kiln.api.StorageLevel;
import io.kiln.api.spi.CurrentTask;
import io.kiln.network.codec.WireFormatException;
import io.kiln.network.transport.ContentStream;
import io.kiln.protocol.BlockId.BroadcastBlock;
import io.kiln.protocol.DataHolder;
import io.kiln.storage.block.BlockStore;
import io.kiln.storage.compression.FrameDecoder;
import io.kiln.storage.compression.FrameFormat;
import io.kiln.storage.compression.FrameKey;
import io.kiln.storage.memory.SizeEstimator;
import io.kiln.storage.remote.StorageRequest.DescribeBroadcast;
import io.kiln.storage.serializer.ObjectSerializer;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/// The broadcasts that this process offers to others, and those that it gets from them.
/// Thread-safe.
///
/// Its owner, the driver, cuts a value into pieces. An executor asks the owner what pieces there
/// are, fetches them from whoever has them, and from then on others can have them from it. Pieces
/// are blocks: they go to disk when memory is short. All tasks of a process share one value, which
/// is made again from the pieces if memory was too short to keep it.
public final class SharedBroadcasts {
  private final BlockStore blocks;
  private final ObjectSerializer serializer;
  private final FrameKey key;
  private final Peers peers;
  private final Map<Long, BroadcastLayout> owned = new ConcurrentHashMap<>();
  private final Map<Long, CountDownLatch> fetching = new ConcurrentHashMap<>();

  /// @param key that pieces are encrypted with
  public SharedBroadcasts(
      BlockStore blocks, ObjectSerializer serializer, FrameKey key, Peers peers) {
    this.blocks = blocks;
    this.serializer = serializer;
    this.key = key;
    this.peers = peers;
  }

  // ---- the owner --------------------------------------------------------------------------------

  /// Offers a value to all processes. It must not change any more.
  ///
  /// @throws KilnException `NOT_SERIALIZABLE`, or `BROADCAST_NOT_STORED` if there is no room
  public void publish(long id, Object value) {
    try {
      BroadcastCutter cutter = new BroadcastCutter(blocks, id, peers.broadcasts(), key);
      serializer.toPieces(value, cutter.frameBytes(), cutter);
      owned.put(id, cutter.end());
    } catch (IOException e) {
      throw new KilnException(
          "BROADCAST_NOT_STORED",
          KilnException.Kind.RESOURCES,
          "broadcast " + id + " can't be kept: " + e.getMessage(),
          e);
    } finally {
      if (!owned.containsKey(id)) {
        remove(id); // what there is of it
      }
    }
  }

  Optional<BroadcastLayout> layout(long id) {
    return Optional.ofNullable(owned.get(id));
  }

  /// Nobody gets it from here any more.
  public void withdraw(long id) {
    owned.remove(id);
    remove(id);
  }

  // ---- everybody --------------------------------------------------------------------------------

  /// Drops the value, and the pieces that were fetched for it.
  public void remove(long id) {
    blocks.removeIf(
        owned.containsKey(id) ? new BroadcastBlock(id)::equals : block -> block.isOfBroadcast(id));
  }

  /// The value, fetched if it isn't here: by one thread, while others wait.
  ///
  /// @throws KilnException `BROADCAST_DESTROYED` if its owner doesn't have it any more,
  /// `BROADCAST_NOT_FETCHED` if it can't be had
  public Object value(long id) throws InterruptedException {
    while (true) {
      Optional<Object> here = blocks.value(new BroadcastBlock(id));
      if (here.isPresent()) {
        return here.get();
      }
      CountDownLatch mine = new CountDownLatch(1);
      CountDownLatch other = fetching.putIfAbsent(id, mine);
      if (other != null) {
        other.await(); // if that one fails or is killed, the next in line tries
        continue;
      }
      try {
        here = blocks.value(new BroadcastBlock(id));
        return here.isPresent() ? here.get() : fetch(id);
      } finally {
        fetching.remove(id);
        mine.countDown();
      }
    }
  }

  private Object fetch(long id) throws InterruptedException {
    try {
      BroadcastLayout layout = owned.containsKey(id) ? owned.get(id) : askOwner(id);
      BroadcastFetch fetch = new BroadcastFetch(blocks, peers, id, layout);
      fetch.run();
      Object value;
      try (CurrentTask.Suspended _ = CurrentTask.suspend()) {
        value =
            serializer.fromPieces(
                new FrameDecoder(new FrameFormat(layout.codec(), key), fetch.open()));
      }
      if (value != null) {
        long bytes = new SizeEstimator().estimate(value);
        blocks.putValue(new BroadcastBlock(id), value, bytes, StorageLevel.MEMORY_ONLY);
      }
      return value;
    } catch (IOException | WireFormatException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw new KilnException(
          "BROADCAST_NOT_FETCHED",
          KilnException.Kind.EXTERNAL,
          "the value of broadcast " + id + " can't be fetched: " + e.getMessage(),
          e);
    }
  }

  private BroadcastLayout askOwner(long id) throws IOException, InterruptedException {
    DataHolder owner = peers.locations().driver();
    byte[] answer =
        Retries.of(peers.options())
            .run(
                () -> {
                  try (ContentStream stream =
                      peers.transport().open(owner.address(), new DescribeBroadcast(id))) {
                    return stream.readAllBytes();
                  }
                });
    return BroadcastLayout.decode(answer);
  }
}
