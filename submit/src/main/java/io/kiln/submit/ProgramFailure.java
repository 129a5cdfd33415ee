package io.kiln.submit;

import io.kiln.api.KilnException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/// What a program that ended by an exception leaves on the error stream: the stack trace a JVM
/// would print had it started the program itself.
final class ProgramFailure {

  private ProgramFailure() {}

  static String text(Throwable failure, Method main) {
    trim(failure, main, Collections.newSetFromMap(new IdentityHashMap<>()));
    StringWriter text = new StringWriter();
    text.append("Exception in thread \"").append(Thread.currentThread().getName()).append("\" ");
    failure.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }

  private static void trim(Throwable failure, Method main, Set<Throwable> seen) {
    if (failure == null || !seen.add(failure)) {
      return;
    }
    StackTraceElement[] frames = failure.getStackTrace();
    failure.setStackTrace(Arrays.copyOfRange(frames, first(failure, frames), end(frames, main)));
    trim(failure.getCause(), main, seen);
    for (Throwable suppressed : failure.getSuppressed()) {
      trim(suppressed, main, seen);
    }
  }

  /// What lies below the program's main method is ours.
  private static int end(StackTraceElement[] frames, Method main) {
    for (int i = frames.length - 1; i >= 0; i--) {
      if (frames[i].getMethodName().equals(main.getName())
          && frames[i].getClassName().equals(main.getDeclaringClass().getName())) {
        return i + 1;
      }
    }
    return frames.length;
  }

  /// The engine's refusal of what the program asked starts where the program asked it: at the first
  /// frame that is neither the JDK's, which have a module, nor ours, whose loader has a name.
  private static int first(Throwable failure, StackTraceElement[] frames) {
    if (failure instanceof KilnException ours && ours.kind() != KilnException.Kind.INTERNAL) {
      for (int i = 0; i < frames.length; i++) {
        if (frames[i].getModuleName() == null && frames[i].getClassLoaderName() == null) {
          return i;
        }
      }
    }
    return 0;
  }
}
