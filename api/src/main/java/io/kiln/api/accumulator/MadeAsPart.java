package io.kiln.api.accumulator;

import java.util.function.Supplier;

/// Whether a thread is copying an accumulator. What it makes meanwhile is a part of that copy, and
/// need not be registered itself.
final class MadeAsPart {
  private static final ThreadLocal<Boolean> HERE = new ThreadLocal<>();

  private MadeAsPart() {}

  static boolean isHere() {
    return HERE.get() != null;
  }

  static <T> T during(Supplier<T> copying) {
    if (isHere()) {
      return copying.get();
    }
    HERE.set(true);
    try {
      return copying.get();
    } finally {
      HERE.remove();
    }
  }
}
