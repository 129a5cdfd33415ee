package io.kiln.node;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.LinkListener;
import io.kiln.network.transport.ListenPort;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Transport;
import io.kiln.network.transport.TransportOptions;
import io.kiln.runtime.Edge;
import io.kiln.runtime.FailureHandler;
import io.kiln.runtime.Journal;
import io.kiln.runtime.MachineHost;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One machine of a standalone cluster in its process, with its links to the machines of others.
/// Thread-safe.
///
/// What the machine sends to another process goes through the link that is there, whichever side
/// has opened it, or through a new one. When a link is gone, the machine hears it, once for each
/// address that it has written to there. What others say is let through by [Admission].
public final class ClusterNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);

  /// Every message between machines, at level DEBUG.
  private static final Logger MESSAGES = LoggerFactory.getLogger("io.kiln.standalone.messages");

  private final Role role;
  private final Transport transport;
  private final MachineHost host;
  private final Map<Address, Link> links = new ConcurrentHashMap<>();
  private final Map<Link, String> opened = new ConcurrentHashMap<>();
  private final Map<Link, Admission> admissions = new ConcurrentHashMap<>();
  private final Set<Address> written = ConcurrentHashMap.newKeySet();
  private volatile Address self;
  private volatile boolean running;

  /// @param failed hears that the machine has stopped by a fault
  public ClusterNode(Role role, TransportOptions options, FailureHandler failed) {
    this.role = role;
    this.transport = new Transport(options, ClusterProtocol.codec(), new Watch());
    this.host = new MachineHost(role.machine(), System.nanoTime(), failed);
    host.setOutside(this::deliver);
  }

  /// Binds the port; who connects waits for [#run].
  ///
  /// @return where the machine receives
  /// @throws KilnException `ADDRESS_UNAVAILABLE`, `PORT_UNAVAILABLE`
  public Address listen(String bindHost, String advertisedHost, ListenPort port) {
    NodeAddress bound = transport.bind(bindHost, advertisedHost, port);
    self = role.at(bound.toString());
    return self;
  }

  /// Starts the machine. After [#listen].
  ///
  /// @param edges what it talks to in this process
  /// @param first what it is told before anything else
  public <M extends Message> void run(
      Class<M> type, Machine<M> machine, Journal journal, Map<Address, Edge> edges, M first) {
    host.send(self, first);
    run(type, machine, journal, edges);
  }

  /// Starts the machine, which hears first what it was told before.
  ///
  /// @param edges what it talks to in this process
  public <M extends Message> void run(
      Class<M> type, Machine<M> machine, Journal journal, Map<Address, Edge> edges) {
    host.addMachine(self, type, machine, journal);
    edges.forEach(host::addEdge);
    transport.addReceiver(ClusterProtocol.NODE, this::introduced);
    transport.addReceiver(role.machine(), this::received);
    host.start();
    running = true;
    transport.accept();
  }

  /// Tells the machine what happened in this process.
  ///
  /// @throws KilnException `HOST_STOPPED`
  public void tell(Message message) {
    host.send(self, message);
  }

  /// Lets the machine handle what it was told; it hears nothing more. Idempotent.
  public void stop() {
    running = false;
    host.close();
  }

  /// Lets the machine handle what it was told, and closes the links. What was sent last may not
  /// arrive. Idempotent.
  @Override
  public void close() {
    stop();
    transport.close();
  }

  // ---- messages -------------------------------------------------------------------------------

  private void received(Link from, Message message) {
    if (!role.takes(message)) {
      throw new IllegalArgumentException(
          "a " + role.machine() + " takes no " + message.getClass().getSimpleName());
    }
    admission(from).require(role, message);
    LOG.debug("{} says {}", from, message.getClass().getSimpleName());
    if (running) {
      MESSAGES.debug("from {}: {}", from.address(), named(message));
      tellUnlessStopped(message);
    }
  }

  private void tellUnlessStopped(Message message) {
    try {
      host.send(self, message);
    } catch (KilnException e) {
      LOG.debug("The machine has stopped and does not hear {}", named(message), e);
    }
  }

  /// Without its contents, among which may be secrets.
  private static String named(Message message) {
    return message.getClass().getSimpleName();
  }

  private void introduced(Link from, Message message) {
    if (!(message instanceof ListensAt(String process))) {
      throw new IllegalArgumentException(
          ClusterProtocol.NODE + " takes no " + message.getClass().getSimpleName());
    }
    links.merge(
        admission(from).introduced(process),
        from,
        (known, arrived) -> known.isClosed() ? arrived : known);
    if (from.isClosed()) {
      lost(from); // perhaps before it was noted
    }
  }

  /// Of a link that is open.
  private Admission admission(Link from) {
    return admissions.computeIfAbsent(
        from,
        _ ->
            new Admission(
                from.peer().orElseThrow().process(), Optional.ofNullable(opened.get(from))));
  }

  /// On the machine's thread.
  private void deliver(Address to, Message message) {
    try {
      written.add(to);
      Link link =
          links.compute(
              to, (_, known) -> known == null || known.isClosed() ? open(to.process()) : known);
      MESSAGES.debug("to {}: {}", to, named(message));
      link.send(to.name(), message);
      if (link.isClosed()) {
        lost(link); // perhaps before it was noted
      }
    } catch (KilnException e) {
      if (!links.containsKey(to)) {
        written.remove(to);
      }
      LOG.warn("{} can't be sent to {}: {}", named(message), to, e.getMessage());
    }
  }

  /// Who listens there is who it has to prove to be; what it says is in the name of that process.
  private Link open(String process) {
    Link link = transport.link(NodeAddress.parse(process));
    opened.put(link, process);
    ClusterProtocol.introduce(link, self.process());
    return link;
  }

  private void lost(Link link) {
    opened.remove(link);
    admissions.remove(link);
    links.forEach(
        (address, known) -> {
          if (known == link && links.remove(address, link) && written.remove(address)) {
            tellLost(address);
          }
        });
  }

  private void tellLost(Address other) {
    if (running) {
      tellUnlessStopped(role.linkLost(other));
    }
  }

  private final class Watch implements LinkListener {
    @Override
    public void linkClosed(Link link, String why) {
      LOG.debug("Link to {} closed: {}", link, why);
      lost(link);
    }
  }
}
