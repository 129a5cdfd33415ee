package io.kiln.executor.process;

import io.kiln.api.KilnException;
import java.util.List;

/// The main class of an executor's process.
///
/// The secret that it shares with its driver is in the environment, as `_SPARK_AUTH_SECRET`.
///
/// Exit codes: 0 if the driver said that the work is done, 1 if the executor could not start, else
/// one of [io.kiln.scheduler.task.ExecutorExitCode].
public final class ExecutorMain {
  /// Of the environment variable.
  public static final String SECRET_VARIABLE = "_SPARK_AUTH_SECRET";

  private ExecutorMain() {}

  public static void main(String[] words) {
    int exitCode;
    try {
      exitCode = ExecutorProcess.run(ExecutorArguments.parse(List.of(words)), System.getenv());
    } catch (KilnException e) {
      System.err.println("Error: " + e.getMessage());
      exitCode = ExecutorProcess.FAILED;
    } catch (InterruptedException e) {
      exitCode = ExecutorProcess.FAILED;
    }
    System.exit(exitCode);
  }
}
