package io.kiln.scheduler;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Turn;
import java.util.List;
import java.util.Optional;

/// Where the scheduler's machines and those who watch them receive.
///
/// @param watchers get the [StatusEvent]s; usually one, or none
/// @param allocation the allocation machine; there is none where the executors are given
public record SchedulerAddresses(
    Address dag, Address tasks, List<Address> watchers, Optional<Address> allocation) {
  public SchedulerAddresses {
    watchers = List.copyOf(watchers);
  }

  /// Where the executors are given.
  public SchedulerAddresses(Address dag, Address tasks, List<Address> watchers) {
    this(dag, tasks, watchers, Optional.empty());
  }

  public boolean watched() {
    return !watchers.isEmpty();
  }

  public void tellWatchers(StatusEvent event, Turn turn) {
    for (int i = 0; i < watchers.size(); i++) {
      turn.send(watchers.get(i), event);
    }
  }
}
