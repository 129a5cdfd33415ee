package io.kiln.submit;

import io.kiln.api.KilnException;
import io.kiln.base.classpath.MissingClass;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;

/// What a program that ended by an exception leaves on the error stream: the stack trace a JVM
/// would print had it started the program itself.
///
/// Where the engine says no, or tells of a task that failed, its own frames say nothing to the
/// program's author and are left out; a fault of the engine's shows all of them.
final class ProgramFailure {

  private final Method main;
  private final boolean ofEngine;
  private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private ProgramFailure(Throwable failure, Method main) {
    this.main = main;
    this.ofEngine =
        failure instanceof KilnException ours && ours.kind() != KilnException.Kind.INTERNAL;
  }

  static String text(Throwable failure, Method main) {
    new ProgramFailure(failure, main).trim(failure);
    StringWriter text = new StringWriter();
    text.append("Exception in thread \"").append(Thread.currentThread().getName()).append("\" ");
    Optional<MissingClass> missing =
        failure instanceof KilnException ? Optional.empty() : MissingClass.of(failure);
    failure.printStackTrace(new PrintWriter(text, true));
    if (missing.isPresent()) {
      String line = missing.get().explained(Thread.currentThread().getContextClassLoader());
      text.append("Error: ").append(line).append(System.lineSeparator());
    }
    return text.toString();
  }

  private void trim(Throwable failure) {
    if (failure == null || !seen.add(failure)) {
      return;
    }
    StackTraceElement[] frames = failure.getStackTrace();
    int from = ofEngine && failure instanceof KilnException ? firstOfProgram(frames) : 0;
    int end = Math.min(endOfMain(frames), ofEngine ? endOfProgram(frames, from) : frames.length);
    failure.setStackTrace(Arrays.copyOfRange(frames, Math.min(from, end), end));
    trim(failure.getCause());
    for (Throwable suppressed : failure.getSuppressed()) {
      trim(suppressed);
    }
  }

  /// What lies below the program's main method is ours.
  private int endOfMain(StackTraceElement[] frames) {
    for (int i = frames.length - 1; i >= 0; i--) {
      if (frames[i].getMethodName().equals(main.getName())
          && frames[i].getClassName().equals(main.getDeclaringClass().getName())) {
        return i + 1;
      }
    }
    return frames.length;
  }

  private static int firstOfProgram(StackTraceElement[] frames) {
    for (int i = 0; i < frames.length; i++) {
      if (isOfProgram(frames[i])) {
        return i;
      }
    }
    return 0;
  }

  /// What lies below the last frame of the program is how the engine got there. Nothing is left of
  /// what happened in the engine itself; its message says enough.
  private static int endOfProgram(StackTraceElement[] frames, int from) {
    for (int i = from; i < frames.length && !isOfProgram(frames[i]); i++) {
      if (frames[i].getModuleName() == null) {
        return 0;
      }
    }
    for (int i = frames.length - 1; i >= from; i--) {
      if (isOfProgram(frames[i])) {
        return i + 1;
      }
    }
    return 0;
  }

  /// Neither the JDK's, which have a module, nor ours, whose loader has a name.
  private static boolean isOfProgram(StackTraceElement frame) {
    return frame.getModuleName() == null && frame.getClassLoaderName() == null;
  }
}
