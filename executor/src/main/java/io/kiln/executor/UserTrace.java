package io.kiln.executor;

import io.kiln.api.spi.EngineClasses;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/// A stack trace as text, as far as it tells the user something: from where the exception was
/// thrown to the last frame of the user's code, without the engine beneath it.
final class UserTrace {
  private static final int MAX_FRAMES = 100;

  private UserTrace() {}

  /// The trace and its causes'.
  static String of(Throwable exception) {
    StringBuilder text = new StringBuilder(512);
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable e = exception; e != null && seen.add(e); e = e.getCause()) {
      if (e != exception) {
        text.append("Caused by: ");
      }
      text.append(firstLine(e)).append('\n');
      appendFrames(e.getStackTrace(), text);
    }
    return text.toString();
  }

  /// Class name and message, on one line.
  static String firstLine(Throwable e) {
    String message = message(e);
    String name = e.getClass().getName();
    return message.isEmpty() ? name : name.concat(": ").concat(message);
  }

  /// The message on one line; empty if there is none.
  static String message(Throwable e) {
    String message;
    try {
      message = e.getMessage();
    } catch (RuntimeException thrown) {
      return "(its message can't be had: " + thrown.getClass().getName() + ")";
    }
    return message == null ? "" : message.strip().replaceAll("\\s*\\R\\s*", " ");
  }

  private static void appendFrames(StackTraceElement[] frames, StringBuilder text) {
    int end = endOfUserFrames(frames);
    int shown = Math.min(end, MAX_FRAMES);
    for (int i = 0; i < shown; i++) {
      text.append("\tat ").append(frames[i]).append('\n');
    }
    if (shown < end) {
      text.append("\t... ").append(end - shown).append(" more\n");
    }
  }

  // All of them if none is the user's: then the engine is what there is to see.
  private static int endOfUserFrames(StackTraceElement[] frames) {
    for (int i = frames.length; i > 0; i--) {
      if (isUsers(frames[i - 1].getClassName())) {
        return i;
      }
    }
    return frames.length;
  }

  private static boolean isUsers(String className) {
    return !(className.startsWith("java.")
        || className.startsWith("javax.")
        || className.startsWith("jdk.")
        || className.startsWith("sun.")
        || EngineClasses.has(className));
  }
}
