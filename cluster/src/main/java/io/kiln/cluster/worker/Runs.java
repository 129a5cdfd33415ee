package io.kiln.cluster.worker;

import io.kiln.base.machine.Turn;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The executors, or the drivers, of a worker: those that run, and those that ended and of which
/// the master does not know that yet. A run takes capacity until it has ended; how it is, is
/// reported until the master has acknowledged it. Mutable, the worker's thread only.
///
/// @param <K> names a run
/// @param <P> what is reported of one
/// @param <R> a run
final class Runs<K, P, R extends Runs.Run<K, P>> {

  interface Run<K, P> {
    K key();

    int cores();

    int memoryMebibytes();

    boolean hasEnded();

    P toReport();
  }

  private final Capacity capacity;
  private final Reporter<P> reporter;
  private final Map<K, R> all = new LinkedHashMap<>();

  /// Those of which the master does not know how they are.
  private final Set<K> unacknowledged = new HashSet<>();

  Runs(Capacity capacity, Reporter<P> reporter) {
    this.capacity = capacity;
    this.reporter = reporter;
  }

  Optional<R> find(K key) {
    return Optional.ofNullable(all.get(key));
  }

  /// A run that takes capacity; there must be enough.
  void start(R run) {
    capacity.take(run.cores(), run.memoryMebibytes());
    all.put(run.key(), run);
  }

  /// One that never started here.
  void addEnded(R run, Turn turn) {
    all.put(run.key(), run);
    changed(run, turn);
  }

  /// The run is in another state, in which it has not ended.
  void changed(R run, Turn turn) {
    unacknowledged.add(run.key());
    reporter.report(run.toReport(), turn);
  }

  /// The run, which took capacity, is in a state now in which it has ended.
  void ended(R run, Turn turn) {
    capacity.giveBack(run.cores(), run.memoryMebibytes());
    changed(run, turn);
  }

  /// Forgets a run that has not ended, as if it had never been here.
  void drop(R run) {
    capacity.giveBack(run.cores(), run.memoryMebibytes());
    all.remove(run.key());
    unacknowledged.remove(run.key());
  }

  void reportAgain(R run, Turn turn) {
    reporter.report(run.toReport(), turn);
  }

  void reportUnacknowledged(Turn turn) {
    for (R run : all.values()) {
      if (unacknowledged.contains(run.key())) {
        reporter.report(run.toReport(), turn);
      }
    }
  }

  /// The master knows how the run is; one that has ended is forgotten.
  void acknowledged(R run) {
    unacknowledged.remove(run.key());
    if (run.hasEnded()) {
      all.remove(run.key());
    }
  }

  List<P> reports() {
    return all.values().stream().map(Run::toReport).toList();
  }

  /// Those that have not ended.
  List<R> active() {
    return all.values().stream().filter(run -> !run.hasEnded()).toList();
  }

  boolean hasActive() {
    return all.values().stream().anyMatch(run -> !run.hasEnded());
  }

  /// Those that have ended, as no master has acknowledged yet.
  List<P> unacknowledgedEnds() {
    return all.values().stream().filter(Run::hasEnded).map(Run::toReport).toList();
  }
}
