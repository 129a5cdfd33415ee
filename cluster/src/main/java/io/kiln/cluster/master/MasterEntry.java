package io.kiln.cluster.master;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Entry;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ApplicationState;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.ExecutorRequest;
import io.kiln.cluster.protocol.FromApplication.RegisterApplication;
import io.kiln.cluster.protocol.WorkerDescription;
import java.time.Instant;
import java.util.Optional;

/// What a master keeps: the last entry of each key is what counts, so a store may drop the others.
/// A store takes entries of the newest elected master only, and those of one turn together or not
/// at all.
public sealed interface MasterEntry extends Entry {

  /// Of letters, digits, `-`, `_`, `.` and what a worker or application named itself.
  String key();

  record WorkerEntry(String workerId, long incarnation, WorkerDescription worker)
      implements MasterEntry {
    @Override
    public String key() {
      return "worker_" + workerId;
    }
  }

  /// @param incarnation of its client
  /// @param executorIdsBelow all executors that it has had, and may get before the next entry of
  ///     its, have ids below this
  /// @param request the newest that a master has taken
  /// @param state UNKNOWN unless it is over
  record ApplicationEntry(
      String applicationId,
      long incarnation,
      Address address,
      ApplicationDescription application,
      Instant submitted,
      int executorIdsBelow,
      ExecutorRequest request,
      ApplicationState state,
      Optional<Instant> ended,
      String message)
      implements MasterEntry {

    /// Of an application that registers for the first time.
    static ApplicationEntry first(
        String applicationId, RegisterApplication register, Instant submitted) {
      return new ApplicationEntry(
          applicationId,
          register.incarnation(),
          register.address(),
          register.application(),
          submitted,
          0,
          register.request(),
          ApplicationState.UNKNOWN,
          Optional.empty(),
          "");
    }

    @Override
    public String key() {
      return "app_" + applicationId;
    }
  }

  /// @param requestId of its submission
  /// @param launches how often it has been launched
  /// @param workerId where it was launched last
  /// @param killed whether somebody wants it to end
  record DriverEntry(
      String driverId,
      String requestId,
      DriverDescription driver,
      Instant submitted,
      DriverState state,
      int launches,
      Optional<String> workerId,
      String message,
      Optional<Integer> exitCode,
      boolean killed)
      implements MasterEntry {
    @Override
    public String key() {
      return "driver_" + driverId;
    }
  }

  /// How many ids have been given.
  record NumbersEntry(long applications, long drivers) implements MasterEntry {
    @Override
    public String key() {
      return "numbers";
    }
  }

  /// There is no entry of this key any more.
  record Removed(String key) implements MasterEntry {}
}
