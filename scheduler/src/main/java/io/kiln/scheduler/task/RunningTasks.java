package io.kiln.scheduler.task;

import java.util.Arrays;

/// The tasks that executors have, by task id: an open table in parallel arrays, since every task
/// goes in and out once.
///
/// Ids grow one by one. Taken as they are they would stand in one long run, which every removal
/// would have to walk through; so they are spread by multiplication with 2^64 divided by the golden
/// ratio.
final class RunningTasks {
  static final int ABSENT = -1;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long EMPTY = -1;

  private long[] taskIds = new long[64];
  private TaskSetState[] taskSets = new TaskSetState[64];
  private RegisteredExecutor[] executors = new RegisteredExecutor[64];
  private int[] indexes = new int[64];
  private int[] attempts = new int[64];
  private int mask = 63;
  private int size;

  RunningTasks() {
    Arrays.fill(taskIds, EMPTY);
  }

  /// Visits tasks.
  @FunctionalInterface
  interface Visitor {
    void visit(long taskId, int position);
  }

  void add(long taskId, TaskSetState taskSet, int index, int attempt, RegisteredExecutor executor) {
    if (size * 2 > mask) {
      grow();
    }
    int position = home(taskId);
    while (taskIds[position] != EMPTY) {
      position = (position + 1) & mask;
    }
    taskIds[position] = taskId;
    taskSets[position] = taskSet;
    executors[position] = executor;
    indexes[position] = index;
    attempts[position] = attempt;
    size++;
  }

  /// @return the task's position, valid until the next change, or [#ABSENT]
  int find(long taskId) {
    int position = home(taskId);
    while (taskIds[position] != taskId) {
      if (taskIds[position] == EMPTY) {
        return ABSENT;
      }
      position = (position + 1) & mask;
    }
    return position;
  }

  TaskSetState taskSet(int position) {
    return taskSets[position];
  }

  RegisteredExecutor executor(int position) {
    return executors[position];
  }

  int index(int position) {
    return indexes[position];
  }

  int attempt(int position) {
    return attempts[position];
  }

  int size() {
    return size;
  }

  void removeAt(int position) {
    int hole = position;
    int next = (hole + 1) & mask;
    while (taskIds[next] != EMPTY) {
      int home = home(taskIds[next]);
      if (((next - home) & mask) >= ((next - hole) & mask)) {
        move(next, hole);
        hole = next;
      }
      next = (next + 1) & mask;
    }
    taskIds[hole] = EMPTY;
    taskSets[hole] = null;
    executors[hole] = null;
    size--;
  }

  /// The visitor changes nothing here. The order is the same for the same history.
  void forEach(Visitor visitor) {
    for (int position = 0; position <= mask; position++) {
      if (taskIds[position] != EMPTY) {
        visitor.visit(taskIds[position], position);
      }
    }
  }

  private int home(long taskId) {
    return (int) ((taskId * GOLDEN) >>> 32) & mask;
  }

  private void move(int from, int to) {
    taskIds[to] = taskIds[from];
    taskSets[to] = taskSets[from];
    executors[to] = executors[from];
    indexes[to] = indexes[from];
    attempts[to] = attempts[from];
  }

  private void grow() {
    RunningTasks larger = new RunningTasks();
    larger.allocate((mask + 1) * 2);
    forEach(
        (taskId, position) ->
            larger.add(
                taskId,
                taskSets[position],
                indexes[position],
                attempts[position],
                executors[position]));
    taskIds = larger.taskIds;
    taskSets = larger.taskSets;
    executors = larger.executors;
    indexes = larger.indexes;
    attempts = larger.attempts;
    mask = larger.mask;
  }

  private void allocate(int capacity) {
    taskIds = new long[capacity];
    Arrays.fill(taskIds, EMPTY);
    taskSets = new TaskSetState[capacity];
    executors = new RegisteredExecutor[capacity];
    indexes = new int[capacity];
    attempts = new int[capacity];
    mask = capacity - 1;
  }
}
