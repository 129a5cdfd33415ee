package io.kiln.standalone.submit;

import io.kiln.cluster.protocol.DriverState;
import io.kiln.node.RequestedDriver;
import java.time.Duration;
import java.util.Optional;

/// One master, asked by one of the two protocols that it takes submissions in. Used by one thread.
///
/// What it refuses is a [io.kiln.launcher.Refusal].
interface Gateway {

  /// @param requestId the same for a request that is made again, perhaps of another master: where
  /// the protocol carries it, nothing is submitted twice
  /// @throws Unreachable nothing has been done, or the request may be made again
  Answer submit(RequestedDriver driver, String requestId) throws Unreachable;

  Answer status(String driverId) throws Unreachable;

  Answer kill(String driverId) throws Unreachable;

  /// The master can't be asked in this way now.
  final class Unreachable extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean silent;

    Unreachable(String why) {
      this(why, false);
    }

    private Unreachable(String why, boolean silent) {
      super(why, null, false, false);
      this.silent = silent;
    }

    /// It has not answered in time, but what was asked may be asked again.
    static Unreachable silent(Duration patience) {
      return new Unreachable(
          "it has not answered within "
              + patience.toSeconds()
              + " s; what was asked may still be done",
          true);
    }

    /// Whether it may answer later.
    boolean isSilent() {
      return silent;
    }
  }

  /// What a master said.
  ///
  /// @param success whether it was done, or the driver is known
  /// @param standby whether another master is to be asked, as this one does not lead
  /// @param message for people, a line
  /// @param driver empty if it is not about one, or the one is unknown
  /// @param verbatim the answer itself, where people can read it
  record Answer(
      boolean success,
      boolean standby,
      String message,
      Optional<Driver> driver,
      Optional<String> verbatim) {}

  /// A driver, as the master sees it.
  ///
  /// @param state empty if that was not asked for
  /// @param worker where it runs, as people are told
  /// @param exitCode of its process, if that has ended by itself
  record Driver(
      String id, Optional<DriverState> state, Optional<String> worker, Optional<Integer> exitCode) {

    static Driver named(String id) {
      return new Driver(id, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /// What people are told of its state.
    ///
    /// @param message why it is so; may be empty
    String line(String message) {
      return "State of driver "
          + id
          + " is now "
          + state.orElse(DriverState.UNKNOWN)
          + (message.isEmpty() ? "." : ": " + message + ".");
    }

    static Optional<String> worker(Optional<String> id, Optional<String> hostPort) {
      return id.map(known -> hostPort.map(at -> known + " at " + at).orElse(known));
    }
  }
}
