package io.kiln.executor;

import io.kiln.scheduler.task.TaskFailure;
import io.kiln.scheduler.task.TaskFailure.Kind;
import java.util.Optional;

/// Says of an exception what the scheduler and the user should know.
final class TaskFailures {
  /// Made beforehand: when it is needed, there may be no memory to make anything.
  static final TaskFailure OUT_OF_MEMORY =
      new TaskFailure(
          Kind.RESOURCE_EXHAUSTED,
          OutOfMemoryError.class.getName(),
          "the task ran out of memory, and so did the report of it",
          "",
          Optional.empty());

  private TaskFailures() {}

  static TaskFailure killed(String reason) {
    return new TaskFailure(Kind.KILLED, "", reason, "", Optional.empty());
  }

  static TaskFailure thrown(Throwable exception) {
    return new TaskFailure(
        kindOf(exception),
        exception.getClass().getName(),
        explained(exception),
        UserTrace.of(exception),
        Optional.of(new ExceptionPayload(exception)));
  }

  private static Kind kindOf(Throwable exception) {
    return switch (exception) {
      case VirtualMachineError _ -> Kind.RESOURCE_EXHAUSTED;
      case ResultRefusedException _ -> Kind.FATAL;
      default -> Kind.EXCEPTION;
    };
  }

  private static String explained(Throwable exception) {
    String message = UserTrace.message(exception);
    return switch (exception) {
      case StackOverflowError _ ->
          join(message, "the task's calls went too deep: look for endless recursion");
      case OutOfMemoryError _ ->
          join(
              message,
              "give the JVM a larger heap, or use more partitions so that each holds less");
      default -> message;
    };
  }

  private static String join(String message, String advice) {
    return message.isEmpty() ? advice : message + "; " + advice;
  }
}
