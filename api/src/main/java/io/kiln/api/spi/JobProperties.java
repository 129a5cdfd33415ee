package io.kiln.api.spi;

/// The local properties that mean something to the engine. They travel with a job, so they are
/// text.
public final class JobProperties {
  /// The job's group, for cancelling all of it.
  public static final String GROUP = "spark.jobGroup.id";

  /// For people.
  public static final String DESCRIPTION = "spark.job.description";

  /// Whether a cancelled task's thread is interrupted: `true` or `false`.
  public static final String INTERRUPT_ON_CANCEL = "spark.job.interruptOnCancel";

  /// The job's tags, with commas between them.
  public static final String TAGS = "spark.job.tags";

  /// The pool in which the job's stages are scheduled.
  public static final String POOL = "spark.scheduler.pool";

  private JobProperties() {}
}
