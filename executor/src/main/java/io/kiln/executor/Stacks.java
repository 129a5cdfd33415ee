package io.kiln.executor;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// What the threads of this process are doing, for people.
public final class Stacks {
  /// Fits into any message.
  private static final int MAX_CHARACTERS = 256 << 10;

  private Stacks() {}

  /// Of all platform threads, by name: where each is, what it holds and what it waits for. If there
  /// are too many, the end says how many are left out.
  public static String ofAllThreads() {
    List<ThreadInfo> threads =
        Arrays.stream(ManagementFactory.getThreadMXBean().dumpAllThreads(true, true))
            .sorted(Comparator.comparing(ThreadInfo::getThreadName))
            .toList();
    StringBuilder text = new StringBuilder(8192);
    for (int i = 0; i < threads.size(); i++) {
      int before = text.length();
      append(threads.get(i), text);
      if (text.length() > MAX_CHARACTERS) {
        text.setLength(before);
        return text.append("and ").append(threads.size() - i).append(" more threads\n").toString();
      }
    }
    return text.toString();
  }

  private static void append(ThreadInfo thread, StringBuilder text) {
    text.append('"').append(thread.getThreadName()).append("\" #").append(thread.getThreadId());
    text.append(' ').append(thread.getThreadState());
    LockInfo lock = thread.getLockInfo();
    if (lock != null) {
      text.append(" on ").append(lock);
    }
    if (thread.getLockOwnerName() != null) {
      text.append(" held by \"").append(thread.getLockOwnerName()).append('"');
    }
    text.append('\n');
    StackTraceElement[] frames = thread.getStackTrace();
    for (int depth = 0; depth < frames.length; depth++) {
      text.append("\tat ").append(frames[depth]).append('\n');
      for (MonitorInfo monitor : thread.getLockedMonitors()) {
        if (monitor.getLockedStackDepth() == depth) {
          text.append("\t- holds ").append(monitor).append('\n');
        }
      }
    }
    for (LockInfo held : thread.getLockedSynchronizers()) {
      text.append("\t- holds ").append(held).append('\n');
    }
  }

  /// Of one thread.
  static String of(Thread thread) {
    StringBuilder text = new StringBuilder(1024);
    text.append('"').append(thread.getName()).append("\" ").append(thread.getState()).append('\n');
    for (StackTraceElement frame : thread.getStackTrace()) {
      text.append("\tat ").append(frame).append('\n');
    }
    return text.toString();
  }
}
