package io.kiln.storage.remote;

import io.kiln.api.KilnException;
import io.kiln.api.StorageLevel;
import io.kiln.protocol.BlockId.RddBlock;
import io.kiln.protocol.DataHolder;
import io.kiln.storage.block.BlockStore;
import io.kiln.storage.remote.Departure.Left;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The partitions of persisted RDDs of a process that is about to end: others make copies, as many
/// as the blocks' levels ask for. Used by one thread.
final class DepartingBlocks {
  private static final Logger logger = LoggerFactory.getLogger(DepartingBlocks.class);

  private final BlockStore own;
  private final RemoteBlocks remote;
  private final Peers peers;

  DepartingBlocks(BlockStore own, RemoteBlocks remote, Peers peers) {
    this.own = own;
    this.remote = remote;
    this.peers = peers;
  }

  /// @param others that stay
  /// @throws IOException if the driver can't be asked
  Left move(List<DataHolder> others) throws IOException, InterruptedException {
    int unconfirmed = 0;
    int failed = 0;
    for (Map.Entry<RddBlock, StorageLevel> block : own.rddBlocks().entrySet()) {
      int wanted = Math.max(1, Math.min(block.getValue().replication(), others.size()));
      List<DataHolder> without = new ArrayList<>(others);
      without.removeAll(peers.locations().holders(block.getKey()));
      int missing = wanted - (others.size() - without.size());
      if (missing > 0) {
        boolean copied = copy(block.getKey(), block.getValue(), missing, without);
        unconfirmed += copied ? 1 : 0;
        failed += copied || !own.holds(block.getKey()) ? 0 : 1;
      }
    }
    return new Left(unconfirmed, failed);
  }

  /// @return whether there are as many copies as asked for
  private boolean copy(RddBlock id, StorageLevel level, int copies, List<DataHolder> candidates)
      throws InterruptedException {
    Collections.shuffle(candidates, ThreadLocalRandom.current());
    int made = 0;
    int declined = 0;
    for (DataHolder candidate : candidates) {
      if (made == copies || declined == peers.departure().maxFailures()) {
        break;
      }
      try {
        if (remote.copyTo(candidate, id, level)) {
          made++;
        } else {
          declined++;
        }
      } catch (IOException | KilnException e) {
        declined++;
        logger.info("block {} can't be moved to {}: {}", id, candidate, e.getMessage());
      }
    }
    return made == copies;
  }
}
