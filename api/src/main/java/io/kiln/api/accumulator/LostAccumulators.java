package io.kiln.api.accumulator;

import io.kiln.api.KilnException;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// For the engine: accumulators of this process that tasks find, but that are no task's copy: in a
/// static field that a class has filled itself, or in a broadcast. What is added to them directly
/// would reach no driver, so the task that did it fails. Thread-safe.
public final class LostAccumulators {
  private static final String CLASS_INITIALISER = "<clinit>";

  private static final List<WeakReference<Accumulator<?, ?>>> WATCHED =
      new CopyOnWriteArrayList<>();

  private LostAccumulators() {}

  /// Accumulators that ask for the task's copy need not be watched.
  static void watch(Accumulator<?, ?> accumulator) {
    if (!accumulator.asksForTask()) {
      WATCHED.removeIf(reference -> reference.refersTo(null));
      WATCHED.add(new WeakReference<>(accumulator));
    }
  }

  /// Whether this thread is initialising a class.
  static boolean isMadeByClass() {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals(CLASS_INITIALISER)));
  }

  static KilnException unregistered(Accumulator<?, ?> accumulator) {
    return new KilnException(
        "ACCUMULATOR_NOT_REGISTERED",
        KilnException.Kind.USER,
        "a task uses an accumulator of "
            + accumulator.getClass()
            + " that is not registered in the task's process, so what the task adds would be lost;"
            + " register it with the context, and let the task's function hold it: in a local"
            + " variable or a parameter, not in a static field");
  }

  /// Called at the end of each task, by its thread. Another task that ran at the same time may have
  /// been the one; its job fails as well.
  ///
  /// @throws KilnException `ACCUMULATOR_NOT_REGISTERED`, `ACCUMULATOR_SHARED` if something was
  /// added
  ///     since the last call
  public static void requireNone() {
    for (WeakReference<Accumulator<?, ?>> reference : WATCHED) {
      Accumulator<?, ?> accumulator = reference.get();
      if (accumulator != null && accumulator.takeLost()) {
        throw accumulator.isRegistered() ? shared(accumulator) : unregistered(accumulator);
      }
    }
  }

  private static KilnException shared(Accumulator<?, ?> accumulator) {
    return new KilnException(
        "ACCUMULATOR_SHARED",
        KilnException.Kind.USER,
        "a task has added to accumulator "
            + accumulator.id()
            + " of "
            + accumulator.getClass()
            + " in a broadcast, where all tasks find the same, so it would be lost; write"
            + " ofTask().add(...) there, or let the task's function hold the accumulator");
  }
}
