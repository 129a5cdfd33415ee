package io.kiln.storage.shuffle;

import io.kiln.api.Pair;
import io.kiln.api.function.BinaryOperator;
import io.kiln.storage.serializer.ObjectReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;

/// Merges one partition of runs that are sorted by hash code, combining the values of equal keys.
/// Used by the task's thread.
///
/// Keys of one hash code are gathered and compared with each other; there are few unless a user's
/// `hashCode` is poor.
final class RunMerge<K, C> implements AutoCloseable {
  private final BinaryOperator<C> mergeCombiners;
  private final PriorityQueue<Head> heads =
      new PriorityQueue<>(
          Comparator.<Head>comparingInt(head -> head.hash).thenComparingInt(head -> head.run));
  private final List<K> keys = new ArrayList<>();
  private final List<C> values = new ArrayList<>();
  private int next = -1;

  RunMerge(
      List<SpillRun> runs, int partition, BinaryOperator<C> mergeCombiners, TaskResources resources)
      throws IOException {
    this.mergeCombiners = mergeCombiners;
    for (int i = 0; i < runs.size(); i++) {
      if (!runs.get(i).isEmpty(partition)) {
        Head head = new Head(i, runs.get(i).open(partition, resources));
        if (head.advance()) {
          heads.add(head);
        }
      }
    }
  }

  /// Moves to the next key.
  ///
  /// @return whether there is one
  boolean advance() throws Exception {
    next++;
    if (next < keys.size()) {
      return true;
    }
    keys.clear();
    values.clear();
    next = 0;
    if (heads.isEmpty()) {
      return false;
    }
    int hash = heads.element().hash;
    while (!heads.isEmpty() && heads.element().hash == hash) {
      Head head = heads.remove();
      do {
        gather(head.pair);
      } while (head.advance() && head.hash == hash);
      if (head.isOpen) {
        heads.add(head);
      }
    }
    return true;
  }

  @SuppressWarnings("unchecked") // the runs hold what was inserted
  private void gather(Pair<?, ?> pair) throws Exception {
    for (int i = 0; i < keys.size(); i++) {
      if (Objects.equals(keys.get(i), pair.key())) {
        values.set(i, mergeCombiners.apply(values.get(i), (C) pair.value()));
        return;
      }
    }
    keys.add((K) pair.key());
    values.add((C) pair.value());
  }

  K key() {
    return keys.get(next);
  }

  C combined() {
    return values.get(next);
  }

  @Override
  public void close() throws IOException {
    for (Head head : heads) {
      head.reader.close();
    }
    heads.clear();
  }

  /// The next record of a run.
  private static final class Head {
    private final int run;
    private final ObjectReader reader;
    private int hash;
    private Pair<?, ?> pair = new Pair<>(null, null);
    private boolean isOpen = true;

    Head(int run, ObjectReader reader) {
      this.run = run;
      this.reader = reader;
    }

    boolean advance() throws IOException {
      if (!reader.hasNext()) {
        reader.close();
        isOpen = false;
        return false;
      }
      hash = reader.readPrefix();
      pair = (Pair<?, ?>) reader.read();
      return true;
    }
  }
}
