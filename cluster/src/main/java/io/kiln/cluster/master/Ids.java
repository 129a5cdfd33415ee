package io.kiln.cluster.master;

import io.kiln.base.machine.Turn;
import io.kiln.cluster.master.MasterEntry.NumbersEntry;
import io.kiln.cluster.master.MasterOptions.Naming;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Names applications and drivers, none twice, by whichever master. Mutable, the master's thread
/// only.
final class Ids {
  private final Naming naming;
  private final WallClock clock;
  private final DateTimeFormatter time;
  private long applications;
  private long drivers;

  Ids(Naming naming, WallClock clock) {
    this.naming = naming;
    this.clock = clock;
    this.time = DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(naming.zone());
  }

  void recover(NumbersEntry entry) {
    applications = entry.applications();
    drivers = entry.drivers();
  }

  Instant now(Turn turn) {
    return clock.at(turn.nowNanos());
  }

  String nextApplication(Turn turn) {
    long number = applications++ % naming.applicationNumbers();
    turn.persist(new NumbersEntry(applications, drivers));
    return String.format(Locale.ROOT, naming.application(), time.format(now(turn)), number);
  }

  String nextDriver(Turn turn) {
    long number = drivers++;
    turn.persist(new NumbersEntry(applications, drivers));
    return String.format(Locale.ROOT, naming.driver(), time.format(now(turn)), number);
  }
}
