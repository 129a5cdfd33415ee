package io.kiln.api;

import java.util.concurrent.Callable;

/// Lets a user's checked exception pass through an [java.util.Iterator], unwrapped: the task fails
/// with the exception that the user threw.
final class Unchecked {

  private Unchecked() {}

  static <T> T get(Callable<T> call) {
    try {
      return call.call();
    } catch (Exception e) {
      throw sneak(e);
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <E extends Exception> RuntimeException sneak(Exception e) throws E {
    throw (E) e;
  }
}
