package io.kiln.api;

import java.io.Serializable;
import java.util.Optional;

/// Says where the user's code called an operation.
///
/// @param operation the operation's name, such as `map`
/// @param location the user's class, file and line, such as `WordCount.java:24`; empty if there is
/// no user code
public record CallSite(String operation, String location) implements Serializable {
  private static final StackWalker WALKER = StackWalker.getInstance();

  /// The innermost frame that is not of the API or the JDK.
  static CallSite here() {
    return WALKER.walk(
        frames -> {
          String operation = "";
          for (StackWalker.StackFrame frame : (Iterable<StackWalker.StackFrame>) frames::iterator) {
            if (!isOwn(frame.getClassName())) {
              return new CallSite(operation, frame.getFileName() + ":" + frame.getLineNumber());
            }
            if (!frame.getMethodName().startsWith("<")
                && !frame.getMethodName().startsWith("lambda$")) {
              operation = frame.getMethodName();
            }
          }
          return new CallSite(operation, "");
        });
  }

  private static boolean isOwn(String className) {
    return className.startsWith("io.kiln.api.")
        || className.startsWith("io.kiln.files.")
        || className.startsWith("java.");
  }

  @Override
  public String toString() {
    return location.isEmpty() ? operation : operation + " at " + location;
  }

  /// The location, if user code made the call.
  public Optional<String> userLocation() {
    return location.isEmpty() ? Optional.empty() : Optional.of(location);
  }
}
