package io.kiln.executor.process;

import io.kiln.api.KilnException;
import io.kiln.process.ParentWatch;
import io.kiln.process.VitalThreads;
import io.kiln.protocol.ExecutorExitCode;
import java.util.List;

/// The main class of an executor's process.
///
/// The secret that it shares with its driver is among its [io.kiln.process.ProcessSecrets]. Where
/// it may write is in the environment, as `SPARK_LOCAL_DIRS`.
///
/// Exit codes: 0 if the driver said that the work is done, 1 if the executor could not start, else
/// one of [io.kiln.protocol.ExecutorExitCode].
public final class ExecutorMain {
  static final String SCRATCH_VARIABLE = "SPARK_LOCAL_DIRS";

  /// Names a directory that is there for this process alone: if its driver is gone, it removes it,
  /// and the last of the executors of its application removes the directory around it.
  public static final String OWN_DIRECTORY_VARIABLE = "KILN_EXECUTOR_DIRECTORY";

  /// Beside such directories, where the driver on this machine has its own.
  public static final String DRIVER_DIRECTORY = "driver";

  private ExecutorMain() {}

  public static void main(String[] words) {
    int exitCode;
    VitalThreads.ofProgram("the executor", ExecutorExitCode.UNCAUGHT);
    ParentWatch.start(ProcessEnd.FAILED);
    try {
      exitCode = ExecutorProcess.run(ExecutorArguments.parse(List.of(words)), System.getenv());
    } catch (KilnException e) {
      System.err.println("Error: " + e.getMessage());
      exitCode = ProcessEnd.FAILED;
    } catch (InterruptedException e) {
      exitCode = ProcessEnd.FAILED;
    }
    System.exit(exitCode);
  }
}
