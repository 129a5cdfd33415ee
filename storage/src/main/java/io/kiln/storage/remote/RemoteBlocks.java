package io.kiln.storage.remote;

import io.kiln.api.KilnException;
import io.kiln.api.StorageLevel;
import io.kiln.network.transport.ContentStream;
import io.kiln.protocol.BlockId;
import io.kiln.protocol.DataHolder;
import io.kiln.storage.block.BlockStore;
import io.kiln.storage.block.OtherBlocks;
import io.kiln.storage.memory.TaskMemory;
import io.kiln.storage.remote.StorageRequest.CopyBlock;
import io.kiln.storage.remote.StorageRequest.ReadBlock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gets blocks from other processes, and has them make copies. Thread-safe.
public final class RemoteBlocks implements OtherBlocks {
  private static final Logger logger = LoggerFactory.getLogger(RemoteBlocks.class);

  /// How many processes may decline a copy before it is given up.
  private static final int MAX_DECLINED = 3;

  private final BlockStore own;
  private final Peers peers;

  public RemoteBlocks(BlockStore own, Peers peers) {
    this.own = own;
    this.peers = peers;
  }

  @Override
  public Optional<Iterator<Object>> records(BlockId id, TaskMemory task)
      throws InterruptedException {
    for (DataHolder holder : others(() -> peers.locations().holders(id), task)) {
      try {
        return Optional.of(own.decode(begun(holder, id, task)));
      } catch (IOException | KilnException e) {
        task.throwIfCancelled();
        logger.info("block {} can't be had from {}: {}", id, holder, e.getMessage());
      }
    }
    return Optional.empty();
  }

  /// Up to its first chunk: until then, another holder can take this one's place.
  private CheckedStream begun(DataHolder holder, BlockId id, TaskMemory task)
      throws IOException, InterruptedException {
    ContentStream stream = task.during(() -> open(holder, id, task));
    CheckedStream frames = new CheckedStream(stream);
    try {
      frames.begin();
    } catch (IOException e) {
      stream.close();
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw e;
    }
    return frames;
  }

  private ContentStream open(DataHolder holder, BlockId id, TaskMemory task)
      throws IOException, InterruptedException {
    ContentStream stream = peers.transport().open(holder.address(), new ReadBlock(id));
    task.onCancel(stream::close);
    return stream;
  }

  @Override
  public void copy(BlockId id, StorageLevel level, TaskMemory task) throws InterruptedException {
    int wanted = level.replication() - 1;
    int declined = 0;
    Iterator<DataHolder> candidates = others(() -> peers.locations().peers(), task).iterator();
    while (wanted > 0 && declined < MAX_DECLINED && candidates.hasNext()) {
      DataHolder peer = candidates.next();
      try {
        boolean copied = task.during(() -> copyTo(peer, id, level));
        wanted -= copied ? 1 : 0;
        declined += copied ? 0 : 1;
      } catch (IOException | KilnException e) {
        task.throwIfCancelled();
        declined++;
        logger.info("block {} can't be copied to {}: {}", id, peer, e.getMessage());
      }
    }
    if (wanted > 0) {
      logger.warn(
          "block {} has {} of the {} copies that its storage level asks for",
          id,
          level.replication() - wanted,
          level.replication());
    }
  }

  /// Has a process make a copy of what is here.
  ///
  /// @return whether it has one now
  boolean copyTo(DataHolder peer, BlockId id, StorageLevel level)
      throws IOException, InterruptedException {
    CopyBlock request = new CopyBlock(id, level, peers.self());
    try (ContentStream answer = peers.transport().open(peer.address(), request)) {
      return answer.read() == 1;
    }
  }

  /// Makes a copy here of what another process has stored.
  ///
  /// @return whether it is here now
  boolean copyHere(CopyBlock request) throws Exception {
    if (own.holds(request.id())) {
      return true;
    }
    try (ContentStream stream =
        peers.transport().open(request.from().address(), new ReadBlock(request.id()))) {
      own.build(request.id(), request.level(), own.decode(new CheckedStream(stream)));
    }
    return own.holds(request.id());
  }

  /// All but this process, in an order of their own each time: no one is asked by all.
  private List<DataHolder> others(TaskMemory.Waiting<List<DataHolder>> question, TaskMemory task)
      throws InterruptedException {
    List<DataHolder> others;
    try {
      others = new ArrayList<>(task.during(question));
    } catch (IOException e) {
      logger.warn("the driver can't be asked who has blocks: {}", e.getMessage());
      return List.of();
    }
    others.removeIf(holder -> holder.executorId().equals(peers.self().executorId()));
    Collections.shuffle(others, ThreadLocalRandom.current());
    return others;
  }
}
