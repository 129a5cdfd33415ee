package io.kiln.runtime;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
import java.util.random.RandomGenerator;

/// A machine of this host.
final class MachineRoute implements Route {
  private final Address address;
  private final Deliverable machine;
  private final RandomGenerator random;
  private final Journal journal;

  @FunctionalInterface
  private interface Deliverable {
    void handle(Message message, Turn turn);
  }

  private MachineRoute(
      Address address, Deliverable machine, RandomGenerator random, Journal journal) {
    this.address = address;
    this.machine = machine;
    this.random = random;
    this.journal = journal;
  }

  /// @param type any other message is a mistake in the wiring, and stops the host
  static <M extends Message> MachineRoute of(
      Address address, Class<M> type, Machine<M> machine, RandomGenerator random, Journal journal) {
    return new MachineRoute(
        address, (message, turn) -> machine.handle(type.cast(message), turn), random, journal);
  }

  Address address() {
    return address;
  }

  RandomGenerator random() {
    return random;
  }

  Journal journal() {
    return journal;
  }

  void handle(Message message, Turn turn) {
    machine.handle(message, turn);
  }
}
