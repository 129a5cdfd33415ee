package io.kiln.scheduler;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Turn;
import java.util.List;

/// Where the scheduler's machines and those who watch them receive.
///
/// @param watchers get the [StatusEvent]s; usually one, or none
public record SchedulerAddresses(Address dag, Address tasks, List<Address> watchers) {
  public SchedulerAddresses {
    watchers = List.copyOf(watchers);
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
