package io.kiln.scheduler.dag;

import io.kiln.protocol.TaskFailure;
import io.kiln.scheduler.dag.DagMessage.FetchFailed;
import io.kiln.scheduler.dag.DagMessage.TaskSetAborted;

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

  /// @param lost the stage that must compute outputs again
  /// @param delivered the result stage
  static String describeUnrepeatable(StageState lost, StageState delivered) {
    return "outputs of "
        + lost.describe()
        + " were lost and can't be made again as they were, since they depend on the order of the"
        + " input or on chance, and results of "
        + delivered.describe()
        + " that were computed from them have been delivered; checkpoint() the RDD on which that"
        + " stage ends, or make its records independent of order and chance";
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
