package io.kiln.scheduler.allocation;

import io.kiln.scheduler.allocation.LaunchRequest.RequestExecutors;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The executors of a source that starts them itself: which count, and which are missing. It names
/// them by numbers; a name is used once. Not thread-safe.
public final class ExecutorRoster {
  private final int room;
  private final Set<String> counting = new LinkedHashSet<>();
  private int nextId;

  /// @param room how many there can be at most
  public ExecutorRoster(int room) {
    this.room = room;
  }

  /// How many are to be started now. They count from now on.
  ///
  /// @return their ids
  public List<String> fill(RequestExecutors request) {
    long there = counting.stream().filter(id -> !request.going().contains(id)).count();
    List<String> missing = new ArrayList<>();
    for (long count = there; count < Math.min(room, request.now()); count++) {
      missing.add(Integer.toString(nextId++));
    }
    counting.addAll(missing);
    return missing;
  }

  /// The executor is gone, or is to go. Before the allocation machine hears of it.
  public void remove(String executorId) {
    counting.remove(executorId);
  }
}
