package io.kiln.scheduler.task;

import java.util.Arrays;

/// Last in, first out, without boxes.
final class IntStack {
  private int[] values = new int[4];
  private int size;

  void push(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  /// Not on an empty stack.
  int pop() {
    return values[--size];
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }
}
