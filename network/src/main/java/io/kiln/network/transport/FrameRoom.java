package io.kiln.network.transport;

import java.util.ArrayDeque;
import java.util.Deque;

/// How much the large frames that are being received may hold, all together: what the heap can
/// bear, however many peers send at once. Whoever finds no room waits for it, the first first.
/// Thread-safe.
final class FrameRoom {
  private static final int HEAP_FRACTION = 4;

  /// A frame that waits. Each gets its room once, or is cancelled.
  private record Waiting(int bytes, Runnable granted) {}

  private final long capacity;

  // guarded by this
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private long free;

  FrameRoom(long capacity) {
    this.capacity = capacity;
    this.free = capacity;
  }

  static FrameRoom ofHeap() {
    return new FrameRoom(Runtime.getRuntime().maxMemory() / HEAP_FRACTION);
  }

  long capacity() {
    return capacity;
  }

  /// @param bytes at most the capacity
  /// @param granted runs when there is room, if there is none now
  /// @return whether there is
  synchronized boolean take(int bytes, Runnable granted) {
    if (waiting.isEmpty() && bytes <= free) {
      free -= bytes;
      return true;
    }
    waiting.add(new Waiting(bytes, granted));
    return false;
  }

  /// @param granted as it was handed over
  /// @return whether it waited still; otherwise the room is taken, and to be given back
  synchronized boolean cancel(Runnable granted) {
    return waiting.removeIf(each -> each.granted() == granted);
  }

  void giveBack(int bytes) {
    Deque<Waiting> next = new ArrayDeque<>();
    synchronized (this) {
      free += bytes;
      while (!waiting.isEmpty() && waiting.peek().bytes() <= free) {
        free -= waiting.peek().bytes();
        next.add(waiting.remove());
      }
    }
    next.forEach(each -> each.granted().run());
  }
}
