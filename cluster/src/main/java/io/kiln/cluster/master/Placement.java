package io.kiln.cluster.master;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// Where executors go: which rooms, and how many cores in each. Pure.
final class Placement {

  /// What a worker has left.
  interface Room {
    int coresFree();

    int memoryFreeMebibytes();
  }

  /// What is wanted, all at once.
  ///
  /// @param executorCores of each; 0: one executor a room, with as many cores as can be
  /// @param memoryMebibytes of each
  /// @param maxCores, maxExecutors altogether
  record Demand(int executorCores, int memoryMebibytes, int maxCores, int maxExecutors) {
    int leastCores() {
      return Math.max(1, executorCores);
    }

    boolean fits(Room room) {
      return room.coresFree() >= leastCores() && room.memoryFreeMebibytes() >= memoryMebibytes;
    }

    /// How many executors there can be at most.
    int executors() {
      return Math.min(maxExecutors, maxCores / leastCores());
    }
  }

  /// One executor.
  record Placed<R extends Room>(R room, int cores) {}

  private static final class Filling<R extends Room> {
    final R room;
    int executors;
    int cores;

    Filling(R room) {
      this.room = room;
    }
  }

  private final Demand demand;
  private final boolean spreadOut;
  private int coresLeft;
  private int executorsLeft;

  private Placement(Demand demand, boolean spreadOut) {
    this.demand = demand;
    this.spreadOut = spreadOut;
    this.coresLeft = demand.maxCores();
    this.executorsLeft = demand.maxExecutors();
  }

  /// As Spark does it: the rooms in turn get one executor each (or one core each, if each has one
  /// executor), round after round; where executors shall not be spread out, a room is filled before
  /// the next is looked at. Takes no more rooms than it needs, so a small demand costs little in a
  /// large cluster.
  ///
  /// @param rooms the preferred first
  /// @param spreadOut over many rooms, or packed into few
  static <R extends Room> List<Placed<R>> place(
      Demand demand, Iterable<? extends R> rooms, boolean spreadOut) {
    return new Placement(demand, spreadOut).run(rooms);
  }

  private <R extends Room> List<Placed<R>> run(Iterable<? extends R> rooms) {
    List<Filling<R>> open = new ArrayList<>();
    List<Filling<R>> all = new ArrayList<>();
    int most = demand.executors(); // the first round gives each room one
    for (R room : rooms) {
      if (all.size() >= most || coresLeft < demand.leastCores()) {
        break;
      }
      if (demand.fits(room)) {
        Filling<R> filling = new Filling<>(room);
        all.add(filling);
        fill(filling);
        open.add(filling);
      }
    }
    while (!open.isEmpty()) {
      for (Iterator<Filling<R>> left = open.iterator(); left.hasNext(); ) {
        if (!fill(left.next())) {
          left.remove();
        }
      }
    }
    return result(all);
  }

  /// @return whether anything was put there
  private boolean fill(Filling<?> filling) {
    boolean filled = false;
    while (canTakeMore(filling)) {
      coresLeft -= demand.leastCores();
      filling.cores += demand.leastCores();
      if (isNewExecutor(filling)) {
        filling.executors++;
        executorsLeft--;
      }
      filled = true;
      if (spreadOut) {
        return true;
      }
    }
    return filled;
  }

  private boolean isNewExecutor(Filling<?> filling) {
    return demand.executorCores() > 0 || filling.executors == 0;
  }

  private boolean canTakeMore(Filling<?> filling) {
    if (coresLeft < demand.leastCores()
        || filling.room.coresFree() - filling.cores < demand.leastCores()) {
      return false;
    }
    if (!isNewExecutor(filling)) {
      return true;
    }
    long memory = (filling.executors + 1L) * demand.memoryMebibytes();
    return executorsLeft > 0 && filling.room.memoryFreeMebibytes() >= memory;
  }

  private <R extends Room> List<Placed<R>> result(List<Filling<R>> all) {
    List<Placed<R>> placed = new ArrayList<>();
    for (Filling<R> filling : all) {
      for (int i = 0; i < filling.executors; i++) {
        placed.add(new Placed<>(filling.room, filling.cores / filling.executors));
      }
    }
    return placed;
  }
}
