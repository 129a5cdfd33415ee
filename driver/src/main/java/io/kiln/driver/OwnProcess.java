package io.kiln.driver;

import io.kiln.executor.FatalErrors;

/// What a fatal error does to this process: one that runs a single program, started by
/// `spark-submit`, ends with an exit code that says so; an engine embedded in another program
/// leaves that one alone.
final class OwnProcess {
  /// Set where the process was started for one program.
  private static final String PROPERTY = "SPARK_SUBMIT";

  private OwnProcess() {}

  static FatalErrors fatalErrors() {
    return Boolean.getBoolean(PROPERTY) ? OwnProcess::end : FatalErrors.EMBEDDED;
  }

  private static void end(int exitCode, Throwable error) {
    try {
      System.err.println(
          "the process ends with code " + exitCode + " after a fatal error: " + error);
    } finally {
      Runtime.getRuntime().halt(exitCode); // nothing can be trusted to run any more, no hook either
    }
  }
}
