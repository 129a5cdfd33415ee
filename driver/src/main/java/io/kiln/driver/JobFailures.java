package io.kiln.driver;

import io.kiln.api.KilnException;
import io.kiln.protocol.TaskFailure;
import io.kiln.scheduler.dag.JobEvent.JobFailed;

/// Tells the caller why a job failed.
final class JobFailures {

  private JobFailures() {}

  /// @param job the job, for people
  static KilnException toException(String job, JobFailed failed, JobResults results) {
    Throwable cause =
        failed.failure().flatMap(TaskFailure::exception).flatMap(results::exception).orElse(null);
    return switch (failed.reason()) {
      case TASK_FAILED ->
          new KilnException(
              "JOB_FAILED",
              failed.failure().map(JobFailures::kind).orElse(KilnException.Kind.APPLICATION),
              job + " failed: " + failed.why(),
              cause);
      case CANCELLED ->
          new KilnException(
              "JOB_CANCELLED", KilnException.Kind.USER, job + " ended: " + failed.why(), cause);
      case STAGE_FAILED ->
          new KilnException(
              "JOB_FAILED", KilnException.Kind.EXTERNAL, job + " failed: " + failed.why(), cause);
      case RESOURCES ->
          new KilnException(
              "JOB_FAILED", KilnException.Kind.RESOURCES, job + " failed: " + failed.why(), cause);
    };
  }

  private static KilnException.Kind kind(TaskFailure failure) {
    return failure.kind() == TaskFailure.Kind.RESOURCE_EXHAUSTED
        ? KilnException.Kind.RESOURCES
        : KilnException.Kind.APPLICATION;
  }
}
