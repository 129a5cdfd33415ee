package io.kiln.simulation.cluster;

import static io.kiln.simulation.cluster.ClusterChecks.demand;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.FromClient;
import io.kiln.cluster.protocol.FromClient.RequestDriverStatus;
import io.kiln.cluster.protocol.FromClient.RequestKillDriver;
import io.kiln.cluster.protocol.FromClient.RequestSubmitDriver;
import io.kiln.cluster.protocol.MasterState;
import io.kiln.cluster.protocol.ToClient.DriverStatusResponse;
import io.kiln.cluster.protocol.ToClient.KillDriverResponse;
import io.kiln.cluster.protocol.ToClient.SubmitDriverResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Submits one driver, through any master, until one has accepted it; then looks how it is until it
/// is over; may want it killed.
final class SubmitterDouble implements Machine<Message> {
  record Look() implements Message {}

  /// Whether the end stays as it is.
  private static final int LOOKS_AFTER_THE_END = 10;

  /// As if the answers came late.
  private static final int SUBMISSIONS = 2;

  private final Address self;
  private final String requestId;
  private final DriverDescription driver;
  private final List<Address> masters;
  private final ClusterChecks checks;
  private final int killAtLook;
  private Optional<String> driverId = Optional.empty();
  private Optional<DriverState> end = Optional.empty();
  private long newestEpoch;
  private String last = "";
  private int looks;
  private int lastLook;

  /// @param killAtLook at which look it wants the driver killed
  SubmitterDouble(
      Address self,
      DriverDescription driver,
      List<Address> masters,
      ClusterChecks checks,
      int killAtLook) {
    this.self = self;
    this.requestId = "request of " + self.process();
    this.driver = driver;
    this.masters = masters;
    this.checks = checks;
    this.killAtLook = killAtLook;
  }

  Optional<String> driverId() {
    return driverId;
  }

  /// How it was when it was seen last.
  String last() {
    return last;
  }

  Optional<DriverState> end() {
    return end;
  }

  @Override
  public void handle(Message message, Turn turn) {
    switch (message) {
      case Look _ -> look(turn);
      case SubmitDriverResponse answer -> {
        if (answer.success()) {
          demand(
              driverId.isEmpty() || driverId.equals(answer.driverId()),
              "one submission became " + driverId + " and " + answer.driverId());
          driverId = answer.driverId();
          newestEpoch = Math.max(newestEpoch, answer.master().epoch());
        }
      }
      case DriverStatusResponse answer -> status(answer);
      case KillDriverResponse _ -> {}
      default -> throw new AssertionError("a submitter can't take " + message);
    }
  }

  private void look(Turn turn) {
    if (end.isPresent() && looks > lastLook) {
      return;
    }
    looks++;
    Function<Address, FromClient> request =
        _ ->
            driverId
                .filter(_ -> looks > SUBMISSIONS)
                .<FromClient>map(
                    id ->
                        looks == killAtLook
                            ? new RequestKillDriver(self, "kill", id)
                            : new RequestDriverStatus(self, "look", id))
                .orElse(new RequestSubmitDriver(self, requestId, driver));
    masters.forEach(master -> turn.send(master, request.apply(master)));
    turn.startTimer(Look.class, Duration.ofSeconds(2), new Look());
  }

  /// A master that was replaced may not know it yet: the newest counts.
  private void status(DriverStatusResponse answer) {
    if (answer.master().state() == MasterState.STANDBY || answer.master().epoch() < newestEpoch) {
      return;
    }
    newestEpoch = answer.master().epoch();
    demand(answer.driver().isPresent(), "an accepted driver is lost: " + driverId);
    DriverState state = answer.driver().get().state();
    checks.driverIs(driverId.orElseThrow(), state);
    last = answer.driver().get().state() + " (" + answer.message() + ")";
    if (state.isFinal() && end.isEmpty()) {
      end = Optional.of(state);
      lastLook = looks + LOOKS_AFTER_THE_END;
    }
  }
}
