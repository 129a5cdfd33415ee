package io.kiln.storage.remote;

import io.kiln.api.KilnException;
import io.kiln.network.transport.ContentStream;
import io.kiln.protocol.BlockId.BroadcastPiece;
import io.kiln.protocol.DataHolder;
import io.kiln.storage.block.BlockStore;
import io.kiln.storage.block.StoredBytes;
import io.kiln.storage.remote.StorageRequest.ReadBlock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings the pieces of one broadcast here, in an order of its own: executors that begin together
/// get different pieces from the owner first, and then the rest from each other. Used by one
/// thread, once; virtual ones fetch.
final class BroadcastFetch {
  private static final Logger logger = LoggerFactory.getLogger(BroadcastFetch.class);
  private static final int AT_ONCE = 4;

  private final BlockStore blocks;
  private final Peers peers;
  private final long id;
  private final BroadcastLayout layout;

  BroadcastFetch(BlockStore blocks, Peers peers, long id, BroadcastLayout layout) {
    this.blocks = blocks;
    this.peers = peers;
    this.id = id;
    this.layout = layout;
  }

  private BroadcastPiece piece(int index) {
    return new BroadcastPiece(id, index);
  }

  /// Returns when all pieces are here.
  void run() throws IOException, InterruptedException {
    List<Integer> missing = new ArrayList<>();
    for (int i = 0; i < layout.pieces(); i++) {
      if (!blocks.holds(piece(i))) {
        missing.add(i);
      }
    }
    if (missing.size() == 1) {
      keep(missing.getFirst());
    } else {
      Collections.shuffle(missing, ThreadLocalRandom.current());
      keepAll(new ConcurrentLinkedQueue<>(missing));
    }
  }

  private void keepAll(Queue<Integer> missing) throws IOException, InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Math.min(AT_ONCE, missing.size()); i++) {
      threads.add(
          Thread.ofVirtual().name("kiln-broadcast").unstarted(() -> keepSome(missing, failure)));
    }
    threads.forEach(Thread::start);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } finally {
      missing.clear();
      threads.forEach(Thread::interrupt); // only matters if this one was interrupted
    }
    switch (failure.get()) {
      case null -> {}
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException(e);
    }
  }

  private void keepSome(Queue<Integer> missing, AtomicReference<Throwable> failure) {
    try {
      for (Integer next = missing.poll(); next != null; next = missing.poll()) {
        keep(next);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the one who waits for this was interrupted too
    } catch (Throwable e) { // memory may be short too
      missing.clear();
      failure.compareAndSet(null, e);
    }
  }

  private void keep(int index) throws IOException, InterruptedException {
    blocks.putFrames(piece(index), List.of(fetch(index)));
  }

  /// From an executor if one has it, else from the owner.
  private byte[] fetch(int index) throws IOException, InterruptedException {
    DataHolder owner = peers.locations().driver();
    List<DataHolder> holders = new ArrayList<>(peers.locations().holders(piece(index)));
    holders.removeIf(holder -> holder.equals(owner) || holder.equals(peers.self()));
    Collections.shuffle(holders, ThreadLocalRandom.current());
    for (DataHolder holder : holders) {
      try {
        return fetch(index, holder);
      } catch (IOException | KilnException e) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        logger.info("{} can't be had from {}: {}", piece(index), holder, e.getMessage());
      }
    }
    return Retries.of(peers.options()).run(() -> fetch(index, owner));
  }

  private byte[] fetch(int index, DataHolder holder) throws IOException, InterruptedException {
    byte[] bytes;
    try (ContentStream stream =
        peers.transport().open(holder.address(), new ReadBlock(piece(index)))) {
      bytes = new CheckedStream(stream).readAllBytes();
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    if (peers.broadcasts().checksum() && (int) crc.getValue() != layout.checksums()[index]) {
      throw new IOException(
          piece(index) + " from " + holder.executorId() + " has a wrong checksum");
    }
    return bytes;
  }

  /// All pieces, one after the other, each opened when its turn comes.
  InputStream open() {
    return new PieceStream();
  }

  /// Each piece is closed when it was read.
  private final class PieceStream extends InputStream {
    private InputStream current = InputStream.nullInputStream();
    private int next;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = current.read(target, offset, length);
      while (count < 0 && next < layout.pieces()) {
        current.close();
        current = open(next++);
        count = current.read(target, offset, length);
      }
      return count;
    }

    @Override
    public void close() throws IOException {
      current.close();
    }
  }

  private InputStream open(int index) throws IOException {
    Optional<StoredBytes> here = blocks.stored(piece(index));
    try {
      // it may be gone by now: pushed out with no room on disk, or damaged there
      return here.isPresent() ? here.get().bytes() : new ByteArrayInputStream(fetch(index));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while fetching " + piece(index));
    }
  }
}
