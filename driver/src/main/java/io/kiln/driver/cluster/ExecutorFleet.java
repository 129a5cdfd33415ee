package io.kiln.driver.cluster;

import io.kiln.api.KilnException;
import io.kiln.api.Version;
import io.kiln.api.listener.KilnEvent;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.PrivateSettings;
import io.kiln.base.settings.Settings;
import io.kiln.network.security.Credentials;
import io.kiln.network.transport.Content;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.LinkListener;
import io.kiln.network.transport.ListenPort;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Peer;
import io.kiln.network.transport.Transport;
import io.kiln.process.NetworkSetup;
import io.kiln.process.SharedSecret;
import io.kiln.protocol.ApplicationDescription;
import io.kiln.protocol.BlockId;
import io.kiln.protocol.BlockId.RddBlock;
import io.kiln.protocol.ContentRequest.FetchResource;
import io.kiln.protocol.ContentRequest.FetchStage;
import io.kiln.protocol.DataHolder;
import io.kiln.protocol.DriverQuestion;
import io.kiln.protocol.DriverQuestion.Accepted;
import io.kiln.protocol.DriverQuestion.DescribeApplication;
import io.kiln.protocol.DriverQuestion.FindClass;
import io.kiln.protocol.DriverQuestion.FoundClass;
import io.kiln.protocol.DriverQuestion.Holders;
import io.kiln.protocol.DriverQuestion.LocateBlock;
import io.kiln.protocol.DriverQuestion.LocateMapOutputs;
import io.kiln.protocol.DriverQuestion.LocatePeers;
import io.kiln.protocol.DriverQuestion.MoveOutputs;
import io.kiln.protocol.DriverQuestion.RegisterExecutor;
import io.kiln.protocol.ExecutorCommand;
import io.kiln.protocol.ExecutorCommand.RemoveBroadcast;
import io.kiln.protocol.ExecutorCommand.RemoveRdd;
import io.kiln.protocol.ExecutorCommand.SetLogLevel;
import io.kiln.protocol.ExecutorCommand.Stop;
import io.kiln.protocol.ExecutorCommand.UseResources;
import io.kiln.protocol.ExecutorCommand.WatchTasks;
import io.kiln.protocol.ExecutorProtocol;
import io.kiln.protocol.ExecutorReport.BlocksChanged;
import io.kiln.protocol.ExecutorReport.Decommissioned;
import io.kiln.protocol.ExecutorReport.Heartbeat;
import io.kiln.protocol.ExecutorReport.Leaves;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.protocol.ExecutorReport.TasksProgress;
import io.kiln.protocol.MapOutputLocations;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorDecommissioned;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorLeaves;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorRegistered;
import io.kiln.scheduler.allocation.AllocationMessage.LinkLost;
import io.kiln.scheduler.task.TaskMessage.TasksUpdated;
import io.kiln.storage.LocalStorage;
import io.kiln.storage.block.BlockReports;
import io.kiln.storage.remote.BroadcastOptions;
import io.kiln.storage.remote.DepartureOptions;
import io.kiln.storage.remote.FetchOptions;
import io.kiln.storage.remote.Peers;
import io.kiln.storage.remote.StorageProtocol;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/// The executors of one application that run in processes of their own: they find the driver here,
/// register, get their tasks and report. Thread-safe.
public final class ExecutorFleet implements AutoCloseable {
  static final String DRIVER = "driver";
  private static final String EDGE = "executor";
  private static final Duration DUMP_WITHIN = Duration.ofSeconds(15);
  private static final byte[] NO_CLASS = new byte[0];

  private final Application application;
  private final Supplier<LocalStorage> storage;
  private final Machines machines;
  private final Transport transport;
  private final BiConsumer<String, List<KilnEvent.TaskProgress>> progress;
  private final ApplicationClasses classes;
  private final LargeResults results;
  private final FleetLocations locations;
  private final BlockDirectory blocks = new BlockDirectory();
  private final LargeStages largeStages = new LargeStages();
  private final RegisteredSlots slots = new RegisteredSlots();
  private final Map<String, RemoteExecutor> executors = new ConcurrentHashMap<>();
  private volatile NodeAddress address;
  private volatile Optional<String> logLevel = Optional.empty();
  private volatile boolean watched;
  private volatile boolean closing;

  /// Listens for nobody yet.
  ///
  /// @param storage of the driver, where its broadcasts are
  /// @param progress hears how far an executor's tasks are
  public ExecutorFleet(
      Application application,
      Optional<SharedSecret> secret,
      Supplier<LocalStorage> storage,
      Machines machines,
      BiConsumer<String, List<KilnEvent.TaskProgress>> progress) {
    this.application = application;
    this.progress = progress;
    this.classes = application.classes();
    this.storage = storage;
    this.machines = machines;
    Peer self = new Peer(DRIVER, System.currentTimeMillis(), Version.CURRENT);
    this.transport =
        new Transport(
            NetworkSetup.options(
                application.settings(),
                self,
                secret.map(SharedSecret::bytes).map(Credentials::ofAll)),
            ExecutorProtocol.codec(StorageProtocol::register),
            new Watch());
    this.results = new LargeResults(transport);
    this.locations =
        new FleetLocations(
            executors,
            blocks,
            new OutputQuestions(
                machines, NetworkSetup.askTimeout(application.settings()).toMillis()),
            () -> address);
    transport.addReceiver(ExecutorProtocol.SCHEDULER, this::receive);
    transport.addResponder(ExecutorProtocol.DRIVER, this::answer);
    transport.serve(this::content);
  }

  /// Lets executors come.
  ///
  /// @param usualHost by which executors reach the driver, if no setting says otherwise
  /// @return what they are to be told
  /// @throws KilnException `ADDRESS_UNAVAILABLE`, `PORT_UNAVAILABLE`
  public NodeAddress listen(String usualHost) {
    Settings settings = application.settings();
    String host = settings.find(NetworkSettings.DRIVER_HOST).orElse(usualHost);
    address =
        transport.listen(
            settings.find(NetworkSettings.DRIVER_BIND_ADDRESS).orElse(host),
            host,
            ListenPort.of(settings, NetworkSettings.DRIVER_PORT));
    return address;
  }

  /// What the driver's storage needs to share with executors. After [#listen].
  public Peers peers() {
    Settings settings = application.settings();
    return new Peers(
        transport,
        new DataHolder(DRIVER, address),
        locations,
        BlockReports.NOBODY,
        FetchOptions.of(settings),
        BroadcastOptions.of(settings),
        DepartureOptions.of(settings));
  }

  public RegisteredSlots slots() {
    return slots;
  }

  /// The executors that have a partition of a persisted RDD.
  public List<String> holders(int rddId, int partition) {
    return blocks.holders(new RddBlock(rddId, partition));
  }

  public void removeRdd(int rddId) {
    blocks.forget(id -> id instanceof RddBlock block && block.rddId() == rddId);
    tellAll(new RemoveRdd(rddId));
  }

  /// Waits until the executors have removed their blocks. One that does not answer is as good as
  /// gone; if this thread is interrupted, the rest is done without it.
  public void removeRddNow(int rddId) {
    blocks.forget(id -> id instanceof RddBlock block && block.rddId() == rddId);
    Duration within = NetworkSetup.askTimeout(application.settings());
    List<CompletableFuture<Record>> removals =
        executors.values().stream().map(executor -> executor.dropRdd(rddId, within)).toList();
    try {
      for (CompletableFuture<Record> removal : removals) {
        removal.handle((_, failure) -> failure).get(); // it may have gone meanwhile
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // it was handled
    }
  }

  /// Drops the executors' copies.
  public void dropBroadcast(long broadcastId) {
    blocks.forget(id -> id.isOfBroadcast(broadcastId));
    tellAll(new RemoveBroadcast(broadcastId));
  }

  public void setLogLevel(String level) {
    logLevel = Optional.of(level);
    tellAll(new SetLogLevel(level));
  }

  /// Whether somebody wants to know what tasks use.
  public void watchTasks(boolean watch) {
    watched = watch;
    tellAll(new WatchTasks(watch));
  }

  /// Tells every executor; those that come later learn what they need when they come.
  public void tellAll(ExecutorCommand command) {
    executors.values().forEach(executor -> executor.send(command));
  }

  /// Asks an executor to end, if it is here.
  public void stop(String executorId, String why) {
    RemoteExecutor executor = executors.get(executorId);
    if (executor != null) {
      executor.send(new Stop(why));
    }
  }

  /// What the threads of an executor are doing, as text.
  ///
  /// @return empty if there is no such executor
  /// @throws KilnException if it doesn't answer
  public Optional<String> threadDump(String executorId) throws InterruptedException {
    RemoteExecutor executor = executors.get(executorId);
    return executor == null ? Optional.empty() : Optional.of(executor.threadDump(DUMP_WITHIN));
  }

  private void linkLost(RemoteExecutor executor, String why) {
    if (executors.remove(executor.id(), executor)) {
      slots.lost(executor.id());
      largeStages.executorLost(executor.id());
      blocks.executorLost(executor.id());
      machines.removeEdge(address(executor.id()));
      if (!closing) {
        machines.toAllocation(new LinkLost(executor.id(), executor.incarnation(), why));
      }
    }
  }

  private static Address address(String executorId) {
    return new Address(ExecutorProtocol.processOf(executorId), EDGE);
  }

  // ---- what executors say ---------------------------------------------------------------------

  private void receive(Link from, Message message) {
    switch (message) {
      case TaskUpdates updates -> update(updates);
      case BlocksChanged(String executorId, List<BlockId> added, List<BlockId> removed) -> {
        if (executors.containsKey(executorId)) {
          blocks.changed(executorId, added, removed);
        }
      }
      case Heartbeat(String executorId, long incarnation) -> {
        if (!closing) {
          machines.toAllocation(new AllocationMessage.Heartbeat(executorId, incarnation));
        }
      }
      case Decommissioned(String executorId, long _) -> {
        if (!closing) {
          machines.toAllocation(new ExecutorDecommissioned(executorId, "a signal told it so"));
        }
      }
      case Leaves(String executorId, long incarnation) -> {
        if (!closing) {
          machines.toAllocation(new ExecutorLeaves(executorId, incarnation));
        }
      }
      case TasksProgress sent -> {
        if (executors.containsKey(sent.executorId())) {
          Thread.ofVirtual()
              .name("kiln-progress-" + sent.executorId())
              .start(
                  () -> progress.accept(sent.executorId(), TaskProgressReader.of(sent, classes)));
        }
      }
      default ->
          throw new IllegalArgumentException(
              ExecutorProtocol.SCHEDULER + " takes no " + message.getClass().getSimpleName());
    }
  }

  private void update(TaskUpdates updates) {
    RemoteExecutor executor = executors.get(updates.executorId());
    if (executor != null && !closing) {
      results.complete(
          updates, executor.data(), report -> machines.toTasks(new TasksUpdated(report)));
    }
  }

  private Record answer(Link from, Record question) throws IOException {
    return switch ((DriverQuestion) question) {
      case DescribeApplication _ -> describe();
      case RegisterExecutor register -> register(from, register);
      case FindClass(String resource) -> new FoundClass(find(resource));
      case LocateMapOutputs(int shuffleId) -> locations.mapOutputs(shuffleId);
      case LocateBlock(BlockId id) -> new Holders(locations.holders(id));
      case LocatePeers _ -> new Holders(locations.peers());
      case MoveOutputs moved -> moved(from, moved);
    };
  }

  private ApplicationDescription describe() {
    return new ApplicationDescription(
        application.id(),
        PrivateSettings.without(application.settings().texts()),
        application.ownClassPath(),
        application.ioKey());
  }

  private Accepted register(Link from, RegisterExecutor register) {
    String id = register.executorId();
    Peer peer = from.peer().orElseThrow();
    if (!peer.process().equals(ExecutorProtocol.processOf(id)) || closing) {
      throw new KilnException(
          "EXECUTOR_REFUSED",
          KilnException.Kind.EXTERNAL,
          closing
              ? "the application is ending"
              : "executor " + id + " introduced itself as " + peer.process());
    }
    RemoteExecutor executor =
        new RemoteExecutor(
            id,
            peer.incarnation(),
            from,
            register.data(),
            largeStages,
            report -> machines.toTasks(new TasksUpdated(report)));
    if (executors.putIfAbsent(id, executor) != null) {
      throw new KilnException(
          "EXECUTOR_REFUSED",
          KilnException.Kind.EXTERNAL,
          "there is an executor " + id + " already");
    }
    executor.send(new UseResources(application.resources().all()));
    logLevel.ifPresent(level -> executor.send(new SetLogLevel(level)));
    if (watched) {
      executor.send(new WatchTasks(true));
    }
    slots.registered(id, register.slots());
    machines.addEdge(address(id), executor);
    machines.toAllocation(
        new ExecutorRegistered(
            id, peer.incarnation(), address(id), register.host(), register.slots()));
    if (from.isClosed()) {
      linkLost(executor, "its connection was closed");
    }
    return new Accepted();
  }

  private MapOutputLocations moved(Link from, MoveOutputs moved) {
    RemoteExecutor executor = executors.get(moved.executorId());
    if (executor == null || executor.link() != from) {
      throw new KilnException(
          "EXECUTOR_REFUSED",
          KilnException.Kind.EXTERNAL,
          "executor " + moved.executorId() + " is not here to say where its outputs are");
    }
    return locations.moved(executor.id(), moved);
  }

  private byte[] find(String resource) throws IOException {
    try (InputStream found = classes.context().getResourceAsStream(resource)) {
      return found == null ? NO_CLASS : found.readAllBytes();
    }
  }

  private Content content(Peer from, Record request) throws Exception {
    return switch (request) {
      case FetchStage stage -> largeStages.open(stage);
      case FetchResource(int id) -> file(id);
      default -> storage.get().server().open(from, request);
    };
  }

  private Content file(int id) throws IOException {
    Path file =
        application
            .resources()
            .file(id)
            .orElseThrow(
                () ->
                    new KilnException(
                        "NO_CONTENT",
                        KilnException.Kind.INTERNAL,
                        "the application brought no resource " + id));
    if (!Files.isReadable(file)) {
      throw new KilnException(
          "RESOURCE_VANISHED",
          KilnException.Kind.USER,
          file + " was there when the application was given it, and can't be read any more");
    }
    return Content.OfFiles.of(file, 0, Files.size(file));
  }

  /// Tells the executors to end. Their processes are somebody else's to wait for.
  @Override
  public void close() {
    closing = true;
    tellAll(new Stop("the application has ended"));
  }

  /// Closes all connections.
  public void disconnect() {
    transport.close();
  }

  private final class Watch implements LinkListener {
    @Override
    public void linkClosed(Link link, String why) {
      for (RemoteExecutor executor : List.copyOf(executors.values())) {
        if (executor.link() == link) {
          linkLost(executor, why);
        }
      }
    }
  }
}
