package io.kiln.scheduler.task;

/// The tasks of one task set that have no slot yet, as indexes into its partitions.
sealed interface WaitingTasks permits WaitingInOrder, WaitingByLocality {
  /// Nothing for this executor now.
  int NONE = -1;

  /// Takes the task that suits the executor best; [#NONE] if there is none, or if those there are
  /// still wait for a better place.
  int take(RegisteredExecutor executor, long nowNanos);

  /// The task will run again.
  void giveBack(int index);

  int count();
}
