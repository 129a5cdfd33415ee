package io.kiln.scheduler.task;

import io.kiln.scheduler.dag.StageGraph.Locality;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Tasks of which some run better in some places. For each place there is a stack of those that
/// prefer it; what has been taken through one stack is skipped in the others.
///
/// A task waits for its executor, then for its host, for at most one locality wait each, counted
/// from the last task that found the place that it preferred. Places where nobody is are not waited
/// for.
final class WaitingByLocality implements WaitingTasks {
  private final int[] partitions;
  private final Locality locality;
  private final long waitNanos;
  private final LivePlaces livePlaces;
  private final BitSet waiting = new BitSet();
  private final Map<String, IntStack> byPlace = new HashMap<>();
  private final IntStack anywhere = new IntStack();
  private int count;
  private long lastLocalNanos;
  private long placesVersion = -1;
  private boolean executorsPreferred;
  private boolean hostsPreferred;

  WaitingByLocality(
      int[] partitions, Locality locality, long waitNanos, LivePlaces livePlaces, long nowNanos) {
    this.partitions = partitions;
    this.locality = locality;
    this.waitNanos = waitNanos;
    this.livePlaces = livePlaces;
    this.lastLocalNanos = nowNanos;
    for (int index = partitions.length - 1; index >= 0; index--) {
      giveBack(index); // backwards: the stacks then give the first partitions first
    }
  }

  @Override
  public int take(RegisteredExecutor executor, long nowNanos) {
    if (count == 0) {
      return NONE;
    }
    lookAtPlaces();
    int index = pop(byPlace.get(executor.place()));
    if (index >= 0) {
      return took(index, nowNanos);
    }
    long waited = nowNanos - lastLocalNanos;
    boolean hostWillDo = !executorsPreferred || waited >= waitNanos;
    index = hostWillDo ? pop(byPlace.get(executor.host())) : NONE;
    if (index >= 0) {
      return took(index, hostsPreferred || executorsPreferred ? nowNanos : lastLocalNanos);
    }
    index = pop(anywhere);
    if (index >= 0) {
      return took(index, lastLocalNanos);
    }
    return waited >= levelsToWaitFor() * waitNanos
        ? took(waiting.nextSetBit(0), lastLocalNanos)
        : NONE;
  }

  /// When [#take] may give what it now keeps back.
  long nextLevelNanos(long nowNanos) {
    long waited = nowNanos - lastLocalNanos;
    return waited < waitNanos ? waitNanos - waited : Math.max(1, 2 * waitNanos - waited);
  }

  @Override
  public void giveBack(int index) {
    waiting.set(index);
    count++;
    List<String> places = locality.preferred(partitions[index]);
    if (places.isEmpty()) {
      anywhere.push(index);
      return;
    }
    for (String place : places) {
      byPlace.computeIfAbsent(place, _ -> new IntStack()).push(index);
    }
    placesVersion = -1;
  }

  @Override
  public int count() {
    return count;
  }

  private int levelsToWaitFor() {
    return (executorsPreferred ? 1 : 0) + (hostsPreferred ? 1 : 0);
  }

  private int pop(IntStack stack) {
    if (stack != null) {
      while (!stack.isEmpty()) {
        int index = stack.pop();
        if (waiting.get(index)) {
          return index;
        }
      }
    }
    return NONE;
  }

  private int took(int index, long newLastLocalNanos) {
    waiting.clear(index);
    count--;
    lastLocalNanos = newLastLocalNanos;
    return index;
  }

  private void lookAtPlaces() {
    if (placesVersion == livePlaces.version()) {
      return;
    }
    placesVersion = livePlaces.version();
    executorsPreferred = false;
    hostsPreferred = false;
    for (Map.Entry<String, IntStack> entry : byPlace.entrySet()) {
      if (!entry.getValue().isEmpty()) {
        executorsPreferred |= livePlaces.hasExecutor(entry.getKey());
        hostsPreferred |= livePlaces.hasHost(entry.getKey());
      }
    }
  }
}
