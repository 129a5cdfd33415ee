package io.kiln.cluster.client;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Turn;
import io.kiln.cluster.client.ClientNews.ExecutorDecommissioned;
import io.kiln.cluster.client.ClientNews.ExecutorGone;
import io.kiln.cluster.client.ClientNews.ExecutorGranted;
import io.kiln.cluster.client.ClientNews.ExecutorRunning;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.GrantedExecutor;
import io.kiln.cluster.protocol.ToApplication.ExecutorUpdated;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The executors that masters have granted: the application hears of each once that it comes, and
/// once that it is gone. Mutable, the client's thread only.
final class HeldExecutors {
  private final Address application;
  private final Map<Integer, GrantedExecutor> held = new TreeMap<>();
  private final Set<Integer> running = new TreeSet<>();

  /// Those that are to go, and of which the application knows that.
  private final Set<Integer> decommissioned = new TreeSet<>();

  /// Those to be killed.
  private final Set<Integer> unwanted = new TreeSet<>();

  /// Ids of those that are gone: none comes back.
  private final BitSet gone = new BitSet();

  /// @param application takes the [ClientNews]
  HeldExecutors(Address application) {
    this.application = application;
  }

  void added(GrantedExecutor executor, Turn turn) {
    int id = executor.executorId();
    if (gone.get(id)) {
      unwanted.add(id); // a master that took over knows no better
    } else if (held.putIfAbsent(id, executor) == null) {
      turn.send(application, new ExecutorGranted(executor));
    }
  }

  void updated(ExecutorUpdated update, Turn turn) {
    int id = update.executorId();
    if (update.state().isFinal()) {
      remove(
          id,
          new ExecutorGone(
              id,
              update.state(),
              update.message().orElse(""),
              update.exitCode(),
              update.workerLost()),
          turn);
    } else if (update.state() == ExecutorState.RUNNING && held.containsKey(id) && running.add(id)) {
      turn.send(application, new ExecutorRunning(id));
    }
  }

  void decommissioned(int id, String message, Turn turn) {
    if (held.containsKey(id) && decommissioned.add(id)) {
      turn.send(application, new ExecutorDecommissioned(id, message));
    }
  }

  /// A master has told all that there are.
  ///
  /// @param complete whether others are gone
  void listed(List<GrantedExecutor> executors, boolean complete, Turn turn) {
    executors.forEach(executor -> added(executor, turn));
    if (!complete) {
      return;
    }
    Set<Integer> there =
        executors.stream().map(GrantedExecutor::executorId).collect(Collectors.toSet());
    for (int id : List.copyOf(held.keySet())) {
      if (!there.contains(id)) {
        String why = "the master does not know of it any more";
        remove(id, new ExecutorGone(id, ExecutorState.LOST, why, Optional.empty(), false), turn);
      }
    }
    unwanted.retainAll(there);
  }

  private void remove(int id, ExecutorGone news, Turn turn) {
    unwanted.remove(id);
    running.remove(id);
    decommissioned.remove(id);
    gone.set(id);
    if (held.remove(id) != null) {
      turn.send(application, news);
    }
  }

  /// @return those that are there
  List<Integer> kill(List<Integer> executorIds) {
    List<Integer> there = executorIds.stream().filter(held::containsKey).toList();
    unwanted.addAll(there);
    return there;
  }

  List<Integer> unwanted() {
    return List.copyOf(unwanted);
  }
}
