package io.kiln.base.closure;

import io.kiln.api.KilnException;
import io.kiln.base.classpath.MissingClass;
import java.io.InvalidClassException;
import java.util.Optional;

/// Tells a user why something could not be read back, in the user's terms: a lambda is restored by
/// a method of the class that made it, and the JDK's own words for what goes wrong there name only
/// the JDK's part in it.
final class RestoreFailure {
  private static final String SUBJECT = "a function or record can't be restored in a task: ";

  private RestoreFailure() {}

  /// @param loader by which its classes were looked for
  static KilnException explain(Throwable failure, ClassLoader loader) {
    return new KilnException(
        ClosureSerializer.NOT_RESTORABLE,
        KilnException.Kind.APPLICATION,
        SUBJECT + why(failure, loader),
        failure);
  }

  private static String why(Throwable failure, ClassLoader loader) {
    Optional<MissingClass> missing = MissingClass.of(failure);
    if (missing.isPresent()) {
      return missing.get().explained(loader);
    }
    if (failure instanceof InvalidClassException) {
      return failure.getMessage() + "; use the same jars in the driver and in executors";
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (cause instanceof ClassCastException && message.contains("SerializedLambda")) {
        return "a function is reached again from what it captures; copy what it needs into local"
            + " variables";
      }
      String lambdaClass = classThatRestoresLambdas(cause);
      if (!lambdaClass.isEmpty()) {
        return "class "
            + lambdaClass
            + " makes no such function here, it differs from the driver's; use the same jars in"
            + " the driver and in executors";
      }
    }
    return failure.toString();
  }

  /// The class in whose lambda-restoring method it was thrown, or which lacks that method.
  private static String classThatRestoresLambdas(Throwable cause) {
    for (StackTraceElement frame : cause.getStackTrace()) {
      if (frame.getMethodName().equals("$deserializeLambda$")) {
        return frame.getClassName();
      }
    }
    String message = String.valueOf(cause.getMessage());
    int method = message.indexOf(".$deserializeLambda$");
    return cause instanceof NoSuchMethodException && method > 0 ? message.substring(0, method) : "";
  }
}
