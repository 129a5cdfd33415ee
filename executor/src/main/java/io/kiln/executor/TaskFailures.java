package io.kiln.executor;

import io.kiln.api.KilnException;
import io.kiln.base.classpath.MissingClass;
import io.kiln.protocol.TaskFailure;
import io.kiln.protocol.TaskFailure.Kind;
import io.kiln.storage.serializer.SizeLimitExceeded;
import java.util.Optional;

/// Says of an exception what the scheduler and the user should know.
///
/// It may have to do so with next to no memory: no pattern switch or string concatenation here,
/// whose first use links a call site.
final class TaskFailures {
  /// Made beforehand: when it is needed, there may be no memory to make anything.
  static final TaskFailure OUT_OF_MEMORY =
      new TaskFailure(
          Kind.RESOURCE_EXHAUSTED,
          OutOfMemoryError.class.getName(),
          "the task ran out of memory, and so did the report of it",
          "",
          Optional.empty());

  private static final int MAX_CAUSES = 8;

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

  /// By its class alone: whatever else it has may have been the fault.
  static TaskFailure untold(Throwable exception) {
    String className = exception.getClass().getName();
    return new TaskFailure(
        Kind.EXCEPTION,
        className,
        "what became of the task could not be told; the log of its executor says why",
        "",
        Optional.empty());
  }

  private static Kind kindOf(Throwable exception) {
    if (exception instanceof VirtualMachineError || isOutOfMemory(exception)) {
      return Kind.RESOURCE_EXHAUSTED;
    }
    return exception instanceof ResultRefusedException || exception instanceof SizeLimitExceeded
        ? Kind.FATAL
        : Kind.EXCEPTION;
  }

  /// Also where the JVM could not link a call site or initialise a class for want of memory.
  static boolean isOutOfMemory(Throwable exception) {
    Throwable cause = exception;
    for (int depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth++) {
      if (cause instanceof OutOfMemoryError) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private static String explained(Throwable exception) {
    String message = UserTrace.message(exception);
    if (exception instanceof StackOverflowError) {
      return join(message, "the task's calls went too deep: look for endless recursion");
    }
    if (isOutOfMemory(exception)) {
      return join(
          message, "give the JVM a larger heap, or use more partitions so that each holds less");
    }
    if (exception instanceof KilnException) {
      return message;
    }
    Optional<BrokenClass> broken = BrokenClass.of(exception);
    if (broken.isPresent()) {
      return join(message, broken.get().explained());
    }
    Optional<MissingClass> missing = MissingClass.of(exception);
    return missing.isPresent()
        ? join(message, missing.get().explained(Thread.currentThread().getContextClassLoader()))
        : message;
  }

  private static String join(String message, String advice) {
    return message.isEmpty() ? advice : message.concat("; ").concat(advice);
  }
}
