package io.kiln.simulation.cluster;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.cluster.master.Master;
import io.kiln.cluster.master.MasterEvent.Elected;
import io.kiln.cluster.master.MasterOptions;
import io.kiln.cluster.protocol.MasterMessage;
import io.kiln.simulation.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/// The processes of masters. One of them leads, most of the time; one that has been replaced may
/// not know it.
final class MasterProcesses {
  private final SimulatedWorld world;
  private final MasterOptions options;
  private final ElectionDouble election;
  private final List<Address> addresses;
  private final List<Boolean> down = new ArrayList<>();

  MasterProcesses(SimulatedWorld world, ClusterChecks checks, MasterOptions options, int count) {
    this.world = world;
    this.options = options;
    this.election = new ElectionDouble(world, checks);
    this.addresses =
        IntStream.range(0, count).mapToObj(i -> new Address("master-" + i, "master")).toList();
    for (int i = 0; i < count; i++) {
      down.add(false);
      start(i);
    }
  }

  List<Address> addresses() {
    return addresses;
  }

  private void start(int index) {
    Address address = addresses.get(index);
    Master master = new Master(address, "spark://" + address.process(), "", options);
    AtomicLong epoch = new AtomicLong();
    Machine<MasterMessage> knowing =
        (message, turn) -> {
          if (message instanceof Elected elected) {
            epoch.set(elected.epoch());
          }
          master.handle(message, turn);
        };
    world.add(
        address,
        MasterMessage.class,
        knowing,
        entries -> {
          boolean kept = election.append(epoch.get(), entries);
          if (!kept) {
            down.set(index, true);
            election.gone(address);
          }
          return kept;
        });
  }

  private boolean leads(int index) {
    return election.leads(addresses.get(index));
  }

  void crash(int index) {
    if (!down.set(index, true)) {
      world.crash(addresses.get(index).process());
      election.gone(addresses.get(index));
    }
  }

  void demandOneDriverARequest() {
    election.demandOneDriverARequest();
  }

  void restartAll() {
    for (int i = 0; i < addresses.size(); i++) {
      if (down.set(i, false)) {
        start(i);
      }
    }
  }

  /// @param told whether the one before learns at once that it leads no more
  void elect(int index, boolean told) {
    if (!down.get(index)) {
      election.elect(addresses.get(index), told);
    }
  }

  /// Where nobody leads who is there, another is elected.
  void electIfNeeded(int preferred) {
    for (int i = 0; i < addresses.size(); i++) {
      if (leads(i) && !down.get(i)) {
        return;
      }
    }
    for (int i = 0; i < addresses.size(); i++) {
      int index = (preferred + i) % addresses.size();
      if (!down.get(index)) {
        elect(index, false);
        return;
      }
    }
  }
}
