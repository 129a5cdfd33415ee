package io.kiln.api.spi;

import io.kiln.api.CallSite;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.Iterator;
import java.util.function.Function;
import java.util.stream.Stream;

/// Finds which operation the user's code called, and where.
public final class UserCallSite implements Function<Stream<StackFrame>, CallSite> {
  private static final StackWalker WALKER = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);
  private static final UserCallSite FINDER = new UserCallSite();
  private static final String API = CallSite.class.getPackageName();
  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

  private UserCallSite() {}

  /// The innermost frame of the user's code on this thread's stack, and what it called of the API.
  public static CallSite here() {
    return WALKER.walk(FINDER);
  }

  @Override
  public CallSite apply(Stream<StackFrame> frames) {
    String operation = "";
    for (Iterator<StackFrame> each = frames.iterator(); each.hasNext(); ) {
      StackFrame frame = each.next();
      Class<?> type = frame.getDeclaringClass();
      if (!isJdks(type) && !EngineClasses.has(type)) {
        return new CallSite(operation, frame.getFileName() + ":" + frame.getLineNumber());
      }
      String method = frame.getMethodName();
      if (type.getPackageName().equals(API)
          && !method.startsWith("lambda$")
          && !method.startsWith("<")) {
        operation = method;
      }
    }
    return new CallSite(operation, "");
  }

  private static boolean isJdks(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == PLATFORM;
  }
}
