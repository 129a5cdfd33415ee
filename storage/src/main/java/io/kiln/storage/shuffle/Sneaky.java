package io.kiln.storage.shuffle;

import java.util.concurrent.Callable;

/// Lets a checked exception pass through an [java.util.Iterator], unwrapped: the task fails with
/// the exception that was thrown.
final class Sneaky {

  private Sneaky() {}

  static <T> T get(Callable<T> call) {
    try {
      return call.call();
    } catch (Exception e) {
      throw pass(e);
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> RuntimeException pass(Exception e) throws E {
    throw (E) e;
  }
}
