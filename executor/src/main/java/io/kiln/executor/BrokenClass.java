package io.kiln.executor;

import io.kiln.api.spi.EngineClasses;
import java.util.List;
import java.util.Optional;

/// A class that the JVM began to initialise while its stack or its memory ran out: it can't be used
/// in that process any more, by no task.
///
/// @param name of the class
record BrokenClass(String name) {
  /// How the JVM's message begins.
  private static final String MESSAGE = "Could not initialize class ";

  /// How the JVM tells what broke the class, where it remembers.
  private static final List<String> CAUSES =
      List.of(
          "Exception " + StackOverflowError.class.getName(),
          "Exception " + OutOfMemoryError.class.getName(),
          "Exception " + InternalError.class.getName());

  private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.");

  private static final int MAX_CAUSES = 20;

  /// What a task failed for, if it is that. A class of the application's whose own initialiser
  /// throws is not: it fails everywhere.
  static Optional<BrokenClass> of(Throwable exception) {
    Throwable cause = exception;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof NoClassDefFoundError error) {
        String message = String.valueOf(error.getMessage());
        if (message.startsWith(MESSAGE)) {
          String name = message.substring(MESSAGE.length());
          return isBroken(name, error.getCause())
              ? Optional.of(new BrokenClass(name))
              : Optional.empty();
        }
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }

  private static boolean isBroken(String name, Throwable initialisation) {
    if (initialisation == null) { // there was no room to remember it
      return JDK.stream().anyMatch(name::startsWith) || EngineClasses.has(name);
    }
    String told = String.valueOf(initialisation.getMessage());
    return CAUSES.stream().anyMatch(told::startsWith);
  }

  /// For people.
  String explained() {
    return "class "
        + name
        + " was being initialised when the stack or the memory ran out, and can't be used in this"
        + " process any more: start the process anew, and look for endless recursion";
  }
}
