package io.kiln.driver.cluster;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Settings;
import io.kiln.executor.protocol.ApplicationDescription;
import io.kiln.executor.protocol.ContentRequest.FetchBroadcast;
import io.kiln.executor.protocol.ContentRequest.FetchResource;
import io.kiln.executor.protocol.ContentRequest.FetchStage;
import io.kiln.executor.protocol.DriverQuestion;
import io.kiln.executor.protocol.DriverQuestion.Accepted;
import io.kiln.executor.protocol.DriverQuestion.DescribeApplication;
import io.kiln.executor.protocol.DriverQuestion.FindClass;
import io.kiln.executor.protocol.DriverQuestion.FoundClass;
import io.kiln.executor.protocol.DriverQuestion.RegisterExecutor;
import io.kiln.executor.protocol.ExecutorCommand;
import io.kiln.executor.protocol.ExecutorCommand.Stop;
import io.kiln.executor.protocol.ExecutorCommand.UseResources;
import io.kiln.executor.protocol.ExecutorProtocol;
import io.kiln.executor.protocol.ExecutorReport.Heartbeat;
import io.kiln.executor.protocol.NetworkSetup;
import io.kiln.network.transport.Content;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.LinkListener;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Peer;
import io.kiln.network.transport.Transport;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorRegistered;
import io.kiln.scheduler.allocation.AllocationMessage.LinkLost;
import io.kiln.scheduler.task.TaskMessage.TaskUpdates;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;

/// The executors of one application that run in processes of their own: they find the driver here,
/// register, get their tasks and report. Thread-safe.
public final class ExecutorFleet implements AutoCloseable {
  private static final String EDGE = "executor";
  private static final byte[] NO_CLASS = new byte[0];

  private final Application application;
  private final LongFunction<byte[]> broadcasts;
  private final Machines machines;
  private final Transport transport;
  private final LargeResults results;
  private final LargeStages largeStages = new LargeStages();
  private final Map<String, RemoteExecutor> executors = new ConcurrentHashMap<>();
  private volatile boolean closing;

  /// Listens for nobody yet.
  ///
  /// @param broadcasts the serialised value of a broadcast
  public ExecutorFleet(
      Application application,
      Optional<ApplicationSecret> secret,
      LongFunction<byte[]> broadcasts,
      Machines machines) {
    this.application = application;
    this.broadcasts = broadcasts;
    this.machines = machines;
    Peer self = new Peer("driver", System.currentTimeMillis(), "");
    this.transport =
        new Transport(
            NetworkSetup.options(
                application.settings(), self, secret.map(ApplicationSecret::bytes)),
            ExecutorProtocol.codec(),
            new Watch());
    this.results = new LargeResults(transport);
    transport.addReceiver(ExecutorProtocol.SCHEDULER, this::receive);
    transport.addResponder(ExecutorProtocol.DRIVER, this::answer);
    transport.serve((_, request) -> content(request));
  }

  /// Lets executors come.
  ///
  /// @param usualHost by which executors reach the driver, if no setting says otherwise
  /// @return what they are to be told
  /// @throws KilnException `ADDRESS_UNAVAILABLE`, `PORT_UNAVAILABLE`
  public NodeAddress listen(String usualHost) {
    Settings settings = application.settings();
    String host = settings.find(NetworkSettings.DRIVER_HOST).orElse(usualHost);
    return transport.listen(
        settings.find(NetworkSettings.DRIVER_BIND_ADDRESS).orElse(host),
        host,
        settings.get(NetworkSettings.DRIVER_PORT));
  }

  /// Tells every executor; those that come later learn of resources when they come.
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

  private void linkLost(RemoteExecutor executor, String why) {
    if (executors.remove(executor.id(), executor)) {
      largeStages.executorLost(executor.id());
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
      case Heartbeat(String executorId, long incarnation) -> {
        if (!closing) {
          machines.toAllocation(new AllocationMessage.Heartbeat(executorId, incarnation));
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
      results.complete(updates, executor.data(), machines::toTasks);
    }
  }

  private Record answer(Link from, Record question) throws IOException {
    return switch ((DriverQuestion) question) {
      case DescribeApplication _ -> describe();
      case RegisterExecutor register -> register(from, register);
      case FindClass(String resource) -> new FoundClass(find(resource));
    };
  }

  private ApplicationDescription describe() {
    Map<String, String> settings = new ConcurrentHashMap<>(application.settings().texts());
    settings.remove(NetworkSettings.SECRET.key());
    settings.remove(NetworkSettings.SECRET_FILE.key());
    return new ApplicationDescription(application.id(), settings, application.ownClassPath());
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
            id, peer.incarnation(), from, register.data(), largeStages, machines::toTasks);
    if (executors.putIfAbsent(id, executor) != null) {
      throw new KilnException(
          "EXECUTOR_REFUSED",
          KilnException.Kind.EXTERNAL,
          "there is an executor " + id + " already");
    }
    executor.send(new UseResources(application.resources().all()));
    machines.addEdge(address(id), executor);
    machines.toAllocation(
        new ExecutorRegistered(
            id, peer.incarnation(), address(id), register.host(), register.slots()));
    if (from.isClosed()) {
      linkLost(executor, "its connection was closed");
    }
    return new Accepted();
  }

  private byte[] find(String resource) throws IOException {
    try (InputStream found = application.classes().getResourceAsStream(resource)) {
      return found == null ? NO_CLASS : found.readAllBytes();
    }
  }

  private Content content(Record request) throws IOException {
    return switch (request) {
      case FetchStage stage -> largeStages.open(stage);
      case FetchResource(int id) -> file(id);
      case FetchBroadcast(long id) -> Content.OfBytes.of(broadcasts.apply(id));
      default ->
          throw new KilnException(
              "NO_CONTENT",
              KilnException.Kind.INTERNAL,
              "a driver serves no " + request.getClass().getSimpleName());
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
