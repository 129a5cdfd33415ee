package io.kiln.scheduler.dag;

import io.kiln.scheduler.dag.DagMessage.FetchFailed;
import io.kiln.scheduler.dag.DagMessage.TaskSetAborted;
import io.kiln.scheduler.task.TaskFailure;

/// What a job's failure says to people, in one line.
final class Failures {
  private Failures() {}

  static String describe(TaskSetAborted aborted, StageState stage) {
    return "task "
        + aborted.partition()
        + " of "
        + stage.describe()
        + " failed "
        + times(aborted.failures())
        + "; most recent failure: "
        + describe(aborted.failure());
  }

  static String describe(FetchFailed failed, StageState stage, int attempts) {
    return stage.describe()
        + " lost its input "
        + times(attempts)
        + " in a row; most recently map output "
        + failed.mapPartition()
        + " of shuffle "
        + failed.shuffleId()
        + " on executor "
        + failed.executorId()
        + ": "
        + failed.why();
  }

  private static String describe(TaskFailure failure) {
    if (failure.className().isEmpty()) {
      return failure.message();
    }
    return failure.message().isEmpty()
        ? failure.className()
        : failure.className() + ": " + failure.message();
  }

  private static String times(int count) {
    return count == 1 ? "1 time" : count + " times";
  }
}
