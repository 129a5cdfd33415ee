package io.kiln.storage.remote;

import io.kiln.api.KilnException;
import io.kiln.protocol.DataHolder;
import io.kiln.protocol.MapOutputLocations;
import io.kiln.shuffle.ShuffleStore;
import io.kiln.storage.block.BlockStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Moves what a process has to others, before it ends: partitions of persisted RDDs, and map
/// outputs. The driver is told where they are.
///
/// ```
///               rounds, one after the other: what is new, and what was in vain
///   (tasks run) ──────────────────────────────────────────────► no task runs any more
///                                                                  │ rounds until all is
///                                                                  ▼ elsewhere, or given up
///                                                                (done)
/// ```
///
/// [#run] is called once, by a thread of its own; [#drained] by any.
public final class Departure {
  private static final Logger logger = LoggerFactory.getLogger(Departure.class);
  private static final Duration LOOK_FOR_OTHERS = Duration.ofSeconds(1);

  /// Others say to the driver what they have, not to this process: it may take a moment.
  private static final Duration CONFIRMATION = Duration.ofMillis(20);

  private final Locations locations;
  private final DataHolder self;
  private final DepartureOptions options;
  private final DepartingBlocks blocks;
  private final DepartingOutputs outputs;
  private final Object lock = new Object();

  // guarded by lock
  private boolean drained;

  /// What is left after a round.
  ///
  /// @param unconfirmed copied, but the driver does not know of it yet
  /// @param failed not copied
  record Left(int unconfirmed, int failed) {
    static final Left NOTHING = new Left(0, 0);

    Left and(Left other) {
      return new Left(unconfirmed + other.unconfirmed, failed + other.failed);
    }
  }

  /// Tells the driver who has map outputs now.
  @FunctionalInterface
  public interface OutputMoves {
    /// @return where the outputs of the shuffle are then
    /// @throws IOException if the driver can't be told
    MapOutputLocations moved(int shuffleId, int[] mapPartitions, DataHolder to)
        throws IOException, InterruptedException;
  }

  /// @param moves hears of each map output that another has
  public static Departure of(
      Peers peers, BlockStore blocks, ShuffleStore shuffles, OutputMoves moves) {
    return new Departure(
        peers,
        new DepartingBlocks(blocks, new RemoteBlocks(blocks, peers), peers),
        new DepartingOutputs(shuffles, peers, moves));
  }

  private Departure(Peers peers, DepartingBlocks blocks, DepartingOutputs outputs) {
    this.locations = peers.locations();
    this.self = peers.self();
    this.options = peers.departure();
    this.blocks = blocks;
    this.outputs = outputs;
  }

  /// Nothing new will come, and the driver knows of everything that there is.
  public void drained() {
    synchronized (lock) {
      drained = true;
      lock.notifyAll();
    }
  }

  /// Returns when nothing is left that could be moved.
  public void run() throws InterruptedException {
    int inVain = 0;
    Left before = Left.NOTHING;
    Set<DataHolder> known = Set.of();
    while (true) {
      boolean last = isDrained();
      Set<DataHolder> others = known;
      Left left;
      try {
        others = new HashSet<>(others());
        left = round(List.copyOf(others));
      } catch (IOException | KilnException e) {
        logger.warn("What this executor has can't be moved now: {}", e.getMessage());
        left = new Left(0, 1);
      }
      boolean isInVain =
          last && left.failed() > 0 && left.failed() >= before.failed() && known.equals(others);
      inVain = isInVain ? inVain + 1 : 0;
      if (last && (left.equals(Left.NOTHING) || inVain >= options.maxFailures())) {
        sayWhatIsLeft(left);
        return;
      }
      before = left;
      known = others;
      await(last, left, others);
    }
  }

  private Left round(List<DataHolder> others) throws IOException, InterruptedException {
    Left left = options.blocks() ? blocks.move(others) : Left.NOTHING;
    return options.outputs() ? left.and(outputs.move(others)) : left;
  }

  private static void sayWhatIsLeft(Left left) {
    if (left.failed() > 0) {
      logger.warn(
          "{} blocks and map outputs could not be moved to others; they are computed again where"
              + " they are needed",
          left.failed());
    }
  }

  /// Those that stay.
  private List<DataHolder> others() throws IOException, InterruptedException {
    List<DataHolder> others = new ArrayList<>(locations.peers());
    others.removeIf(holder -> holder.executorId().equals(self.executorId()));
    return others;
  }

  private boolean isDrained() {
    synchronized (lock) {
      return drained;
    }
  }

  /// Until the next round makes sense: its time has come, no task runs any more, or somebody else
  /// is there.
  private void await(boolean last, Left left, Set<DataHolder> others) throws InterruptedException {
    boolean soon = last && left.failed() == 0;
    long deadline = System.nanoTime() + (soon ? CONFIRMATION : options.interval()).toNanos();
    while (true) {
      long waitNanos = Math.min(deadline - System.nanoTime(), LOOK_FOR_OTHERS.toNanos());
      if (waitNanos <= 0) {
        return;
      }
      synchronized (lock) {
        if (drained && !last) {
          return;
        }
        lock.wait(waitNanos / 1_000_000, (int) (waitNanos % 1_000_000));
      }
      if (left.failed() > 0 && hasOthersThan(others)) {
        return;
      }
    }
  }

  private boolean hasOthersThan(Set<DataHolder> known) throws InterruptedException {
    try {
      return !known.containsAll(others());
    } catch (IOException | KilnException e) {
      return false; // the next round says so
    }
  }
}
