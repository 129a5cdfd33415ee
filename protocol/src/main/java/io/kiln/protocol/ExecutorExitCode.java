package io.kiln.protocol;

/// The codes with which an executor's process ends by itself, and what exit codes tell.
public final class ExecutorExitCode {
  /// An error that nobody caught.
  public static final int UNCAUGHT = 50;

  /// Memory ran out for good.
  public static final int OUT_OF_MEMORY = 52;

  /// A class that everything needs can't be used any more.
  public static final int CLASSES_BROKEN = 60;

  /// No local directory could be made.
  public static final int NO_LOCAL_DIRECTORY = 53;

  /// The driver is gone, or its link is.
  public static final int DRIVER_LOST = 56;

  /// A task that was killed would not stop.
  public static final int TASK_WOULD_NOT_STOP = 57;

  private static final int SIGNALS = 128;
  private static final int LAST_SIGNAL = SIGNALS + 64;

  private ExecutorExitCode() {}

  /// For people; completes "executor 1 …".
  public static String describe(int exitCode) {
    return switch (exitCode) {
          case UNCAUGHT -> "ended after an error that nobody caught";
          case OUT_OF_MEMORY -> "ran out of memory";
          case CLASSES_BROKEN -> "ended because a class of its process was broken for good";
          case NO_LOCAL_DIRECTORY -> "could not make a local directory";
          case DRIVER_LOST -> "lost its link to the driver";
          case TASK_WOULD_NOT_STOP -> "ended because a killed task would not stop";
          default ->
              isSignal(exitCode)
                  ? "was killed by signal " + (exitCode - SIGNALS)
                  : "ended by itself";
        }
        + " (exit code "
        + exitCode
        + ")";
  }

  /// Whether what ran in the process is to blame for its end.
  public static boolean isByApplication(int exitCode) {
    return isSignal(exitCode)
        ? isCrash(exitCode - SIGNALS)
        : switch (exitCode) {
          case NO_LOCAL_DIRECTORY, DRIVER_LOST, TASK_WOULD_NOT_STOP -> false;
          default -> true;
        };
  }

  private static boolean isSignal(int exitCode) {
    return exitCode > SIGNALS && exitCode <= LAST_SIGNAL;
  }

  /// SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV and SIGSYS, by their numbers on Linux.
  private static boolean isCrash(int signal) {
    return switch (signal) {
      case 4, 5, 6, 7, 8, 11, 31 -> true;
      default -> false;
    };
  }
}
