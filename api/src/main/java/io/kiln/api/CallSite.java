package io.kiln.api;

import java.io.Serializable;
import java.util.Optional;

/// Says where the user's code called an operation.
///
/// @param operation the operation's name, such as `map`
/// @param location the user's class, file and line, such as `WordCount.java:24`; empty if there is
/// no user code
public record CallSite(String operation, String location) implements Serializable {
  @Override
  public String toString() {
    return location.isEmpty() ? operation : operation + " at " + location;
  }

  /// The location, if user code made the call.
  public Optional<String> userLocation() {
    return location.isEmpty() ? Optional.empty() : Optional.of(location);
  }
}
