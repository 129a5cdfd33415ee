package io.kiln.executor.process;

import java.util.Comparator;
import java.util.Map;

/// What the threads of this process are doing.
final class Stacks {
  private Stacks() {}

  static String ofAllThreads() {
    StringBuilder text = new StringBuilder(8192);
    Thread.getAllStackTraces().entrySet().stream()
        .sorted(Comparator.comparing((Map.Entry<Thread, ?> entry) -> entry.getKey().getName()))
        .forEach(entry -> append(entry.getKey(), entry.getValue(), text));
    return text.toString();
  }

  private static void append(Thread thread, StackTraceElement[] frames, StringBuilder text) {
    text.append('"').append(thread.getName()).append("\" ").append(thread.getState()).append('\n');
    for (StackTraceElement frame : frames) {
      text.append("\tat ").append(frame).append('\n');
    }
  }
}
