package io.kiln.driver.closure;

import io.kiln.api.KilnContext;

/// What to tell a user about an object that can't be serialised.
final class Advice {

  private Advice() {}

  /// @param obstacle why, if it is not simply that its class isn't `Serializable`; may be empty
  static String notSerializable(Object culprit, String obstacle) {
    if (culprit instanceof KilnContext) {
      return "a context exists in the driver only; compute what the function needs before, and"
          + " broadcast it";
    }
    if (!obstacle.isEmpty()) {
      return "not serializable: " + obstacle;
    }
    if (KnownTypes.isLambda(culprit.getClass())) {
      return "not serializable; declare it as one of io.kiln.api.function, or as another interface"
          + " that extends Serializable";
    }
    return "not serializable; make it transient, or create it inside mapPartitions";
  }
}
