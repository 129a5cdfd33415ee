package io.kiln.daemon.rest;

import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.DriverStatus;
import io.kiln.cluster.protocol.MasterIdentity;
import io.kiln.cluster.protocol.MasterState;
import io.kiln.cluster.protocol.ToClient.ClearCompletedResponse;
import io.kiln.cluster.protocol.ToClient.DriverStatusResponse;
import io.kiln.cluster.protocol.ToClient.KillAllDriversResponse;
import io.kiln.cluster.protocol.ToClient.KillDriverResponse;
import io.kiln.cluster.protocol.ToClient.SubmitDriverResponse;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/// A master that says that all it is given runs on one worker.
public final class FakeMaster implements Submissions {
  private final Map<String, DriverStatus> drivers = new ConcurrentSkipListMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private volatile MasterState state = MasterState.ALIVE;
  private volatile boolean silent;
  private volatile boolean broken;

  public void standBy() {
    state = MasterState.STANDBY;
  }

  /// From now on, nothing is answered.
  public void fallSilent() {
    silent = true;
  }

  /// From now on, everything fails.
  public void breakDown() {
    broken = true;
  }

  public Map<String, DriverStatus> drivers() {
    return drivers;
  }

  public DriverDescription only() {
    return drivers.values().iterator().next().description();
  }

  private <T> CompletableFuture<T> answer(T response) {
    if (broken) {
      return CompletableFuture.failedFuture(new IllegalStateException("an inner matter"));
    }
    return silent ? new CompletableFuture<>() : CompletableFuture.completedFuture(response);
  }

  @Override
  public CompletableFuture<SubmitDriverResponse> submit(DriverDescription driver) {
    if (state == MasterState.STANDBY) {
      return answer(
          new SubmitDriverResponse("r", identity(), false, Optional.empty(), "It stands by"));
    }
    String id = "driver-20261128120000-%04d".formatted(count.getAndIncrement());
    drivers.put(id, status(id, driver, DriverState.RUNNING));
    return answer(
        new SubmitDriverResponse("r", identity(), true, Optional.of(id), "Submitted as " + id));
  }

  private static DriverStatus status(String id, DriverDescription driver, DriverState state) {
    return new DriverStatus(
        id,
        state,
        Instant.EPOCH,
        driver,
        Optional.of("worker-1"),
        Optional.of("host-1:7078"),
        "",
        Optional.empty());
  }

  @Override
  public CompletableFuture<KillDriverResponse> kill(String driverId) {
    DriverStatus driver = drivers.get(driverId);
    if (driver == null) {
      return answer(new KillDriverResponse("r", identity(), driverId, false, "No such driver"));
    }
    drivers.put(driverId, status(driverId, driver.description(), DriverState.KILLED));
    return answer(new KillDriverResponse("r", identity(), driverId, true, "Kill asked for"));
  }

  @Override
  public CompletableFuture<KillAllDriversResponse> killAll() {
    for (String id : drivers.keySet()) {
      var _ = kill(id);
    }
    return answer(new KillAllDriversResponse("r", identity(), true, "Kill of all asked for"));
  }

  @Override
  public CompletableFuture<DriverStatusResponse> status(String driverId) {
    return answer(
        new DriverStatusResponse("r", identity(), Optional.ofNullable(drivers.get(driverId)), ""));
  }

  @Override
  public CompletableFuture<ClearCompletedResponse> clear() {
    drivers.values().removeIf(driver -> driver.state().isFinal());
    return answer(new ClearCompletedResponse("r", identity(), true, ""));
  }

  @Override
  public CompletableFuture<MasterIdentity> master() {
    return answer(identity());
  }

  private MasterIdentity identity() {
    return new MasterIdentity(3, "spark://master-1:7077", state);
  }
}
