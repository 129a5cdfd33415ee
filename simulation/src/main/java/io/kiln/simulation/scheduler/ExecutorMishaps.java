package io.kiln.simulation.scheduler;

/// How likely things go wrong inside executors; all chances are 0 to 1, per task.
///
/// @param exception the user's code throws
/// @param fatal a failure that no retry mends
/// @param ignoresKill the task runs on when it is killed
record ExecutorMishaps(double exception, double fatal, double ignoresKill) {
  static final ExecutorMishaps NONE = new ExecutorMishaps(0, 0, 0);
}
