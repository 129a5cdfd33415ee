package io.kiln.driver;

import io.kiln.api.CallSite;
import io.kiln.executor.UserTrace;
import java.lang.StackWalker.StackFrame;
import java.util.Iterator;
import java.util.function.Function;
import java.util.stream.Stream;

/// Finds which action the user's code called, and where.
final class UserCallSite implements Function<Stream<StackFrame>, CallSite> {
  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final UserCallSite FINDER = new UserCallSite();

  private UserCallSite() {}

  /// The innermost frame of the user's code on this thread's stack, and what it called.
  static CallSite here() {
    return WALKER.walk(FINDER);
  }

  @Override
  public CallSite apply(Stream<StackFrame> frames) {
    String operation = "job";
    for (Iterator<StackFrame> each = frames.iterator(); each.hasNext(); ) {
      StackFrame frame = each.next();
      String className = frame.getClassName();
      if (UserTrace.isUsers(className)) {
        return new CallSite(operation, frame.getFileName() + ":" + frame.getLineNumber());
      }
      String method = frame.getMethodName();
      if (className.startsWith("io.kiln.api.")
          && !method.startsWith("lambda$")
          && !method.startsWith("<")) {
        operation = method;
      }
    }
    return new CallSite(operation, "");
  }
}
