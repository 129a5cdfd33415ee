package io.kiln.standalone.submit;

import io.kiln.api.KilnException;
import io.kiln.api.Version;
import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.base.settings.Settings;
import io.kiln.cluster.protocol.DriverStatus;
import io.kiln.cluster.protocol.FromClient;
import io.kiln.cluster.protocol.FromClient.RequestDriverStatus;
import io.kiln.cluster.protocol.FromClient.RequestKillDriver;
import io.kiln.cluster.protocol.FromClient.RequestSubmitDriver;
import io.kiln.cluster.protocol.MasterState;
import io.kiln.cluster.protocol.ToClient;
import io.kiln.cluster.protocol.ToClient.DriverStatusResponse;
import io.kiln.cluster.protocol.ToClient.KillDriverResponse;
import io.kiln.cluster.protocol.ToClient.SubmitDriverResponse;
import io.kiln.launcher.Refusal;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.LinkListener;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Peer;
import io.kiln.network.transport.Transport;
import io.kiln.node.ClusterProtocol;
import io.kiln.node.RequestedDriver;
import io.kiln.node.Role;
import io.kiln.node.RoleKey;
import io.kiln.node.RoleName;
import io.kiln.process.NetworkSetup;
import io.kiln.runtime.LivedClock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Asks masters in the protocol that the cluster's processes speak to each other: both ends prove
/// that they know the secret, and what goes between them is encrypted. It listens to no port:
/// answers come back by the connection that it has opened. Used by one thread.
final class NativeClient implements AutoCloseable {
  private static final String NAME = "Client";
  private static final long LOOK_NANOS = LivedClock.LONGEST_STEP.toNanos() / 4;

  private final String masters;
  private final Duration patience;
  private final Address self = new Address("client-" + UUID.randomUUID(), NAME);
  private final Map<String, Asked> asked = new ConcurrentHashMap<>();
  private final Transport transport;

  /// A question that waits for its answer.
  private record Asked(Link link, CompletableFuture<ToClient> answer) {}

  /// @param masters as a driver finds them
  /// @param patience how long one of them may take to answer
  /// @throws KilnException `SETTING_INVALID`, `CERTIFICATES_UNUSABLE`
  NativeClient(String masters, Settings settings, Optional<RoleKey> key, Duration patience) {
    this.masters = masters;
    this.patience = patience;
    this.transport =
        new Transport(
            NetworkSetup.options(
                settings,
                new Peer(RoleName.CLIENT.prefix(), System.currentTimeMillis(), Version.CURRENT),
                key.map(RoleKey::credentials)),
            ClusterProtocol.codec(),
            new Watch());
    transport.addReceiver(NAME, (_, message) -> answered(message));
  }

  Gateway at(NodeAddress master) {
    return new Master(master);
  }

  private void answered(Message message) {
    if (!(message instanceof ToClient answer)) {
      throw new IllegalArgumentException(NAME + " takes no " + message.getClass().getSimpleName());
    }
    Asked waiting = asked.get(answer.requestId());
    if (waiting != null) {
      waiting.answer().complete(answer);
    }
  }

  @Override
  public void close() {
    transport.close();
  }

  private final class Watch implements LinkListener {
    @Override
    public void linkClosed(Link link, String why) {
      for (Asked waiting : asked.values()) {
        if (waiting.link() == link) {
          waiting.answer().completeExceptionally(new Gateway.Unreachable(why));
        }
      }
    }
  }

  private final class Master implements Gateway {
    private final NodeAddress address;

    Master(NodeAddress address) {
      this.address = address;
    }

    @Override
    public Answer submit(RequestedDriver driver, String requestId) throws Unreachable {
      RequestSubmitDriver request;
      try {
        request = new RequestSubmitDriver(self, requestId, driver.describe(masters));
      } catch (RequestedDriver.Unusable e) {
        throw new Refusal(e.getMessage());
      }
      SubmitDriverResponse response = ask(request, SubmitDriverResponse.class);
      return answer(
          response, response.success(), response.message(), response.driverId().map(Driver::named));
    }

    @Override
    public Answer status(String driverId) throws Unreachable {
      DriverStatusResponse response =
          ask(new RequestDriverStatus(self, newId(), driverId), DriverStatusResponse.class);
      return answer(
          response,
          response.driver().isPresent(),
          response.message(),
          response.driver().map(Master::driver));
    }

    private static Driver driver(DriverStatus status) {
      return new Driver(
          status.driverId(),
          Optional.of(status.state()),
          Driver.worker(status.workerId(), status.workerHostPort()),
          status.exitCode());
    }

    @Override
    public Answer kill(String driverId) throws Unreachable {
      KillDriverResponse response =
          ask(new RequestKillDriver(self, newId(), driverId), KillDriverResponse.class);
      return answer(
          response,
          response.success(),
          response.message(),
          Optional.of(Driver.named(response.driverId())));
    }

    private static String newId() {
      return UUID.randomUUID().toString();
    }

    private static Answer answer(
        ToClient response, boolean success, String message, Optional<Driver> driver) {
      boolean standby = response.master().state() == MasterState.STANDBY;
      return new Answer(success, standby, message, driver, Optional.empty());
    }

    private <A extends ToClient> A ask(FromClient question, Class<A> type) throws Unreachable {
      Link link = transport.link(address);
      Asked waiting = new Asked(link, new CompletableFuture<>());
      asked.put(question.requestId(), waiting);
      try {
        ClusterProtocol.introduce(link, self.process());
        link.send(Role.MASTER.machine(), question);
        if (link.isClosed()) {
          waiting.answer().completeExceptionally(new Unreachable("the connection is gone"));
        }
        return type.cast(await(waiting.answer()));
      } catch (TimeoutException e) {
        throw Unreachable.silent(patience); // each question may be asked again
      } catch (ExecutionException e) {
        throw e.getCause() instanceof Unreachable unreachable
            ? unreachable
            : new Unreachable(String.valueOf(e.getCause().getMessage()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Refusal("Interrupted while the master at " + address + " was asked");
      } catch (KilnException e) {
        throw new Refusal(e.getMessage()); // too large
      } finally {
        asked.remove(question.requestId());
      }
    }

    /// Time for which this process stands still is no silence of the master's.
    private ToClient await(CompletableFuture<ToClient> answer)
        throws InterruptedException, ExecutionException, TimeoutException {
      LivedClock clock = new LivedClock();
      long deadlineNanos = clock.nowNanos() + patience.toNanos();
      while (true) {
        long leftNanos = deadlineNanos - clock.nowNanos();
        try {
          return answer.get(Math.min(leftNanos, LOOK_NANOS), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
          if (leftNanos <= 0) {
            throw e;
          }
        }
      }
    }

    @Override
    public String toString() {
      return address.toString();
    }
  }
}
