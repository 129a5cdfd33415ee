package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Turn;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorLeaves;
import io.kiln.scheduler.dag.DagMessage.OutputsLocated;
import io.kiln.scheduler.task.TaskMessage.OutputsMoved;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// How a process goes that was told to: shuffle after shuffle it gives its outputs to another,
/// until the driver believes none to be here; then it says that it goes.
final class DepartureDouble {
  private final String executorId;
  private final long incarnation;
  private final Address self;
  private final Address allocation;
  private final ShuffleFiles files;
  private final Supplier<List<String>> others;
  private final Set<Integer> moved = new HashSet<>();
  private long question;
  private int shuffleId = -1;
  private int[] maps = {};
  private boolean drained;

  /// @param others executors that may take something
  DepartureDouble(
      String executorId,
      long incarnation,
      Address self,
      Address allocation,
      ShuffleFiles files,
      Supplier<List<String>> others) {
    this.executorId = executorId;
    this.incarnation = incarnation;
    this.self = self;
    this.allocation = allocation;
    this.files = files;
    this.others = others;
  }

  void drained(Turn turn) {
    drained = true;
    goOn(turn);
  }

  /// Tries again what may have been lost, or in vain.
  void goOn(Turn turn) {
    if (!drained) {
      return;
    }
    for (int next : files.shufflesOf(executorId)) {
      if (!moved.contains(next)) {
        move(next, turn);
        return;
      }
    }
    turn.send(allocation, new ExecutorLeaves(executorId, incarnation));
  }

  private void move(int shuffle, Turn turn) {
    List<String> candidates = others.get();
    if (candidates.isEmpty()) {
      return;
    }
    String to = candidates.get(turn.random().nextInt(candidates.size()));
    shuffleId = shuffle;
    question++;
    maps = files.copyAll(executorId, to, shuffle);
    turn.send(
        SimulatedDriver.TASKS, new OutputsMoved(shuffle, maps, executorId, to, question, self));
  }

  void answered(OutputsLocated located, Turn turn) {
    if (located.question() != question) {
      return; // to an earlier try
    }
    boolean isMoved =
        located.executorIds().isEmpty() // nobody refers to the shuffle any more
            || IntStream.of(maps)
                .noneMatch(map -> located.executorIds().get(map).equals(executorId));
    if (isMoved) {
      moved.add(shuffleId);
      goOn(turn);
    }
  }
}
