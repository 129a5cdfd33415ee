package io.kiln.scheduler.task;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The task sets that have not ended, in the order in which they came.
final class TaskSets {
  private final Map<Long, TaskSetState> taskSets = new LinkedHashMap<>();

  Optional<TaskSetState> find(int stageId, int stageAttempt) {
    return Optional.ofNullable(taskSets.get(key(stageId, stageAttempt)));
  }

  void add(TaskSetState taskSet) {
    taskSets.put(key(taskSet.stageId(), taskSet.stageAttempt()), taskSet);
  }

  void remove(TaskSetState taskSet) {
    taskSets.remove(key(taskSet.stageId(), taskSet.stageAttempt()));
  }

  Collection<TaskSetState> all() {
    return taskSets.values();
  }

  /// Those of the stage up to this attempt.
  List<TaskSetState> upTo(int stageId, int stageAttempt) {
    List<TaskSetState> found = new ArrayList<>();
    for (TaskSetState taskSet : taskSets.values()) {
      if (taskSet.stageId() == stageId && taskSet.stageAttempt() <= stageAttempt) {
        found.add(taskSet);
      }
    }
    return found;
  }

  private static long key(int stageId, int stageAttempt) {
    return (long) stageId << Integer.SIZE | stageAttempt;
  }
}
