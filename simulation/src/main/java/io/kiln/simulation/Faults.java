package io.kiln.simulation;

import io.kiln.base.machine.Message;
import java.time.Duration;
import java.util.function.Predicate;

/// What may happen to a message between processes. Delays alone make messages overtake each other.
///
/// @param drop chance, 0 to 1, for those that may be lost
/// @param mayBeLost which messages the protocol can do without
/// @param maxDelay the longest that one may take
public record Faults(double drop, Predicate<Message> mayBeLost, Duration maxDelay) {
  public static final Faults NONE = new Faults(0, _ -> false, Duration.ofMillis(1));
}
