package io.kiln.scheduler.task;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The task sets that have not ended, in the order in which they came.
final class TaskSets {
  private record Key(int stageId, int stageAttempt) {}

  private final Map<Key, TaskSetState> taskSets = new LinkedHashMap<>();

  Optional<TaskSetState> find(int stageId, int stageAttempt) {
    return Optional.ofNullable(taskSets.get(new Key(stageId, stageAttempt)));
  }

  void add(TaskSetState taskSet) {
    taskSets.put(new Key(taskSet.stageId(), taskSet.stageAttempt()), taskSet);
  }

  void remove(TaskSetState taskSet) {
    taskSets.remove(new Key(taskSet.stageId(), taskSet.stageAttempt()));
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
}
