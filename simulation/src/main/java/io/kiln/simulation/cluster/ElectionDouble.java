package io.kiln.simulation.cluster;

import static io.kiln.simulation.cluster.ClusterChecks.demand;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Entry;
import io.kiln.cluster.master.MasterEntry;
import io.kiln.cluster.master.MasterEntry.DriverEntry;
import io.kiln.cluster.master.MasterEntry.Removed;
import io.kiln.cluster.master.MasterEvent.Deposed;
import io.kiln.cluster.master.MasterEvent.Elected;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.simulation.SimulatedWorld;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Elects masters, and keeps what they persist: what ZooKeeper or a quorum does. Takes entries of
/// the newest epoch only, as soon as another has been elected.
final class ElectionDouble {
  private static final Instant START = Instant.parse("2026-11-28T12:00:00Z");

  private final SimulatedWorld world;
  private final ClusterChecks checks;
  private final Map<String, MasterEntry> entries = new LinkedHashMap<>();
  private Optional<Address> leader = Optional.empty();
  private long epoch;

  ElectionDouble(SimulatedWorld world, ClusterChecks checks) {
    this.world = world;
    this.checks = checks;
  }

  boolean leads(Address master) {
    return leader.filter(master::equals).isPresent();
  }

  /// The process of this master is gone.
  void gone(Address master) {
    leader = leader.filter(other -> !other.equals(master));
  }

  /// @param told whether the one before learns at once that it leads no more
  void elect(Address master, boolean told) {
    if (told) {
      leader.ifPresent(before -> world.inject(Duration.ZERO, before, new Deposed(epoch)));
    }
    leader = Optional.of(master);
    epoch++;
    Instant now = START.plusNanos(world.nowNanos());
    world.inject(
        Duration.ofMillis(1), master, new Elected(epoch, List.copyOf(entries.values()), now));
  }

  /// Each submission is one driver, though it was sent many times.
  void demandOneDriverARequest() {
    Set<String> requests = new HashSet<>();
    for (MasterEntry entry : entries.values()) {
      if (entry instanceof DriverEntry driver) {
        demand(
            requests.add(driver.requestId()),
            "two drivers of one submission: " + driver.driverId());
      }
    }
  }

  /// @param writer the epoch that the writer leads
  boolean append(long writer, List<Entry> appended) {
    if (writer != epoch) {
      return false;
    }
    for (Entry entry : appended) {
      MasterEntry kept = (MasterEntry) entry;
      if (kept instanceof Removed(String key)) {
        entries.remove(key);
      } else {
        entries.put(kept.key(), kept);
      }
      if (kept instanceof DriverEntry driver
          && (driver.state() == DriverState.ERROR || driver.state() == DriverState.RELAUNCHING)) {
        checks.driverIsGivenUp(driver.driverId() + "/" + driver.launches(), driver.message());
      }
    }
    return true;
  }
}
