package io.kiln.standalone.client;

import io.kiln.api.KilnException;
import io.kiln.api.Version;
import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.base.settings.ClusterSettings;
import io.kiln.base.settings.DecommissionSettings;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.StandaloneSettings;
import io.kiln.cluster.client.ApplicationClient;
import io.kiln.cluster.client.ClientEvent;
import io.kiln.cluster.client.ClientEvent.KillExecutors;
import io.kiln.cluster.client.ClientNews;
import io.kiln.cluster.client.ClientNews.Connected;
import io.kiln.cluster.client.ClientNews.Dead;
import io.kiln.cluster.client.ClientNews.Disconnected;
import io.kiln.cluster.client.ClientNews.ExecutorDecommissioned;
import io.kiln.cluster.client.ClientNews.ExecutorGone;
import io.kiln.cluster.client.ClientNews.ExecutorRunning;
import io.kiln.cluster.client.ClientNews.Waiting;
import io.kiln.cluster.client.ClientNews.WorkerGone;
import io.kiln.cluster.client.ClientOptions;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ClientMessage;
import io.kiln.cluster.protocol.DescriptionCheck;
import io.kiln.cluster.protocol.GrantedExecutor;
import io.kiln.driver.cluster.ExecutorSource;
import io.kiln.network.transport.ListenPort;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Peer;
import io.kiln.node.ClusterNode;
import io.kiln.node.Role;
import io.kiln.node.RoleKey;
import io.kiln.process.NetworkSetup;
import io.kiln.process.OwnHost;
import io.kiln.process.SharedSecret;
import io.kiln.runtime.Journal;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorLaunching;
import io.kiln.scheduler.allocation.AllocationMessage.ManagerGaveUp;
import io.kiln.scheduler.allocation.AllocationMessage.ManagerSaid;
import io.kiln.scheduler.allocation.AllocationMessage.ProcessExited;
import io.kiln.scheduler.allocation.ExecutorExit;
import io.kiln.scheduler.allocation.ExecutorTarget;
import io.kiln.scheduler.allocation.LaunchRequest;
import io.kiln.scheduler.allocation.LaunchRequest.ReleaseExecutor;
import io.kiln.scheduler.allocation.LaunchRequest.RequestExecutors;
import io.kiln.scheduler.allocation.LaunchRequest.StopExecutor;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Executors that the master of a standalone cluster gives. Thread-safe.
final class StandaloneExecutors implements ExecutorSource {
  private static final Logger LOG = LoggerFactory.getLogger(StandaloneExecutors.class);
  private static final long FIRST_WORD_SECONDS = 1;
  private static final long SAY_AFTER_SECONDS = 10;
  private static final long GOODBYE_SECONDS = 7;

  private final List<String> masters;
  private final Settings settings;
  private final Optional<SharedSecret> secret;
  private final Consumer<AllocationMessage> allocation;
  private final CompletableFuture<String> registered = new CompletableFuture<>();
  private final CountDownLatch dead = new CountDownLatch(1);
  private final GrantedCores granted = new GrantedCores();
  private volatile ClusterNode node;
  private volatile boolean closing;
  private volatile boolean masterless;

  /// @param masters `host:port` of each
  StandaloneExecutors(
      List<String> masters,
      Settings settings,
      Optional<SharedSecret> secret,
      Consumer<AllocationMessage> allocation) {
    this.masters = masters;
    this.settings = settings;
    this.secret = secret;
    this.allocation = allocation;
  }

  @Override
  public String driverHost() {
    return OwnHost.find(System.getenv());
  }

  /// What the master has given by now, whether it runs already or not: that is known as soon as the
  /// application is.
  @Override
  public int slots() {
    return granted.slots(FIRST_WORD_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public int wantedSlots() {
    int cores = settings.find(StandaloneSettings.MAX_CORES).orElse(Integer.MAX_VALUE);
    long ofExecutors =
        settings
            .find(ClusterSettings.CORES)
            .map(each -> (long) each * executors())
            .orElse(Long.MAX_VALUE);
    int most = (int) Math.min(cores, ofExecutors);
    return most == Integer.MAX_VALUE ? granted.now() : most;
  }

  @Override
  public int executors() {
    return settings.find(ClusterSettings.INSTANCES).orElse(ExecutorTarget.NO_LIMIT);
  }

  /// Returns once a master has taken the application.
  ///
  /// @return the id that the master has given
  /// @throws KilnException `MASTER_UNREACHABLE` if none does, with what it said
  @Override
  public String register(NodeAddress driver) {
    ApplicationIdentity identity = ApplicationIdentity.of(settings);
    ApplicationDescription description =
        new ApplicationRequest(settings, driver, secret, identity.driverId()).describe();
    requireUsable(description);
    ClusterNode opened =
        new ClusterNode(
            Role.APPLICATION,
            NetworkSetup.options(
                settings,
                new Peer(identity.name(), System.currentTimeMillis(), Version.CURRENT),
                identity.key().map(RoleKey::credentials)),
            this::failed);
    node = opened;
    Address self = opened.listen(driver.host(), driver.host(), ListenPort.any());
    Address news = new Address(self.process(), "news");
    opened.run(
        ClientMessage.class,
        new ApplicationClient(
            new SecureRandom().nextLong(),
            self,
            description,
            executors(),
            masters.stream().map(Role.MASTER::at).toList(),
            news,
            ClientOptions.of(settings)),
        Journal.NONE,
        Map.of(news, this::hear),
        new ClientEvent.Start());
    return awaitRegistration();
  }

  /// Before any master is asked, who would say the same.
  private static void requireUsable(ApplicationDescription description) {
    String problem = DescriptionCheck.problem(description);
    if (!problem.isEmpty()) {
      throw new KilnException("SETTING_INVALID", KilnException.Kind.USER, problem);
    }
  }

  private String awaitRegistration() {
    for (long seconds = SAY_AFTER_SECONDS; true; seconds += SAY_AFTER_SECONDS) {
      try {
        return registered.get(SAY_AFTER_SECONDS, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        LOG.warn("No master has answered within {} s, of {}; asking on", seconds, masters);
      } catch (ExecutionException e) {
        throw (KilnException) e.getCause();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw unreachable("interrupted while it registered with " + masters);
      }
    }
  }

  private static KilnException unreachable(String why) {
    return new KilnException("MASTER_UNREACHABLE", KilnException.Kind.EXTERNAL, why);
  }

  // ---- what the client says -------------------------------------------------------------------

  private void hear(List<Message> batch) {
    for (Message message : batch) {
      hear((ClientNews) message);
    }
  }

  private void hear(ClientNews news) {
    switch (news) {
      case Connected(String id, String url) -> {
        LOG.info("The application is {} at {}", id, url);
        masterless = false;
        registered.complete(id);
        tell(new ManagerSaid(""));
      }
      case Disconnected(String why) -> {
        masterless = true;
        LOG.warn("There is no master: {}; executors go on", why);
        tell(new ManagerSaid(why));
      }
      case ClientNews.ExecutorGranted(GrantedExecutor executor) -> {
        granted.add(executor.executorId(), executor.cores());
        tell(new ManagerSaid(""));
        tell(new ExecutorLaunching(Integer.toString(executor.executorId())));
      }
      case ExecutorRunning _ -> {} // it registers with the driver itself
      case ExecutorDecommissioned(int id, String why) -> decommission(id, why);
      case ExecutorGone gone -> {
        granted.remove(gone.executorId());
        tell(new ProcessExited(Integer.toString(gone.executorId()), exitOf(gone)));
      }
      case WorkerGone(String id, String host, String why) ->
          LOG.warn("Worker {} on {} is lost: {}", id, host, why);
      case Waiting(String why) -> {
        granted.nothingYet();
        tell(new ManagerSaid(why));
      }
      case Dead(var state, String why) -> {
        granted.nothingYet();
        dead.countDown();
        if (!registered.completeExceptionally(unreachable(why))) {
          tell(new ManagerGaveUp("the application is " + state + ": " + why));
        }
      }
    }
  }

  private void decommission(int id, String why) {
    if (settings.get(DecommissionSettings.ENABLED)) {
      tell(new AllocationMessage.ExecutorDecommissioned(Integer.toString(id), why));
    } else {
      LOG.warn(
          "Executor {} goes on until it is taken away, although {}: {} is not set",
          id,
          why,
          DecommissionSettings.ENABLED.key());
    }
  }

  private static ExecutorExit exitOf(ExecutorGone gone) {
    return gone.exitCode().isPresent() && !gone.workerLost()
        ? new ExecutorExit.Exited(gone.exitCode().get(), gone.message())
        : new ExecutorExit.TakenAway(gone.message());
  }

  /// Whoever asks for executors may have ended before, and for a reason of its own.
  private void tell(AllocationMessage message) {
    if (!closing) {
      try {
        allocation.accept(message);
      } catch (KilnException e) {
        LOG.debug("The scheduler has stopped and does not hear {}", message, e);
      }
    }
  }

  private void failed(KilnException failure) {
    dead.countDown();
    if (!registered.completeExceptionally(failure)) {
      tell(new ManagerGaveUp(failure.getMessage()));
    }
  }

  @Override
  public void accept(LaunchRequest request) {
    if (closing) {
      return;
    }
    switch (request) {
      case RequestExecutors(ExecutorTarget target, int _, Set<String> _) -> ask(target);
      case ReleaseExecutor _ -> {} // its worker sees it end
      case StopExecutor(String id, String why, boolean _) -> {
        LOG.info("Giving executor {} back: {}", id, why);
        node.tell(new KillExecutors(List.of(Integer.parseInt(id))));
      }
    }
  }

  /// The master counts those that it knows to go, and starts the others.
  private void ask(ExecutorTarget target) {
    if (target.profileId() != ExecutorTarget.DEFAULT_PROFILE) {
      tell(new ManagerSaid("a master has no resource profile " + target.profileId()));
      return;
    }
    node.tell(
        new ClientEvent.RequestExecutors(
            target.executors(), target.wantedHosts(), target.avoidedHosts()));
  }

  /// The master has the executors ended.
  @Override
  public void close() {
    closing = true;
    ClusterNode opened = node;
    if (opened == null) {
      return;
    }
    try {
      if (masterless) {
        LOG.warn("No master is there to hear that the application is over; looking for one");
      }
      opened.tell(new ClientEvent.Stop());
      boolean _ = dead.await(GOODBYE_SECONDS, TimeUnit.SECONDS);
    } catch (KilnException e) {
      LOG.debug("The client has stopped already", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    opened.close();
  }
}
