package io.kiln.daemon.master;

import io.kiln.api.KilnException;
import io.kiln.api.Version;
import io.kiln.base.machine.Address;
import io.kiln.base.settings.Settings;
import io.kiln.cluster.master.Master;
import io.kiln.cluster.master.MasterEntry;
import io.kiln.cluster.master.MasterEvent.Deposed;
import io.kiln.cluster.master.MasterEvent.Elected;
import io.kiln.cluster.master.MasterEvent.TimeTold;
import io.kiln.cluster.master.MasterOptions;
import io.kiln.cluster.protocol.FromClient;
import io.kiln.cluster.protocol.MasterMessage;
import io.kiln.cluster.protocol.ToClient;
import io.kiln.cluster.protocol.ToClient.MasterStateResponse;
import io.kiln.daemon.Questions;
import io.kiln.daemon.recovery.Candidate;
import io.kiln.daemon.recovery.Recovery;
import io.kiln.daemon.recovery.RecoveryModes;
import io.kiln.daemon.recovery.RecoverySetup;
import io.kiln.daemon.rest.RestGateway;
import io.kiln.daemon.web.HttpSites;
import io.kiln.daemon.web.MasterJson;
import io.kiln.daemon.web.Snapshot;
import io.kiln.daemon.web.StatusServer;
import io.kiln.network.transport.ListenPort;
import io.kiln.network.transport.Peer;
import io.kiln.node.ClusterKeys;
import io.kiln.node.ClusterNode;
import io.kiln.node.ClusterUrl;
import io.kiln.node.Role;
import io.kiln.node.RoleName;
import io.kiln.process.NetworkSetup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A master in this process: listens, stands for election, leads while it is elected. Thread-safe.
final class MasterProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MasterProcess.class);

  private static final Duration TIME_TOLD_EVERY = Duration.ofSeconds(5);

  private final ClusterNode node;
  private final Recovery recovery;
  private final Consumer<String> news;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Address self;
  private final Optional<RestGateway> rest;
  private final String host;
  private final StatusServer web;
  private volatile boolean closing;

  /// @param news hears, in one line, when this master begins to lead and when it stops
  /// @throws KilnException if it can't listen, has no secret, or can't keep what it must
  static MasterProcess start(
      Settings settings, String host, ListenPort port, ListenPort webPort, Consumer<String> news) {
    return new MasterProcess(settings, host, port, webPort, RecoveryModes.of(settings), news);
  }

  private MasterProcess(
      Settings settings,
      String host,
      ListenPort port,
      ListenPort webPort,
      Recovery recovery,
      Consumer<String> news) {
    this.host = host;
    this.recovery = recovery;
    this.news = news;
    Optional<ClusterKeys> keys = ClusterKeys.ofMaster(settings);
    Peer peer = new Peer(RoleName.MASTER.prefix(), System.currentTimeMillis(), Version.CURRENT);
    node =
        new ClusterNode(
            Role.MASTER,
            NetworkSetup.options(settings, peer, keys.map(ClusterKeys::ofMaster)),
            this::failed);
    Optional<StatusServer> opened = Optional.empty();
    try {
      self = node.listen(host, host, port);
      web =
          StatusServer.open(
              HttpSites.of(
                  settings, List.of(host), webPort, "--host", "show the master's state over HTTP"));
      opened = Optional.of(web);
      Master master =
          new Master(
              self,
              url(),
              web.url(host),
              MasterOptions.of(settings, ZoneId.systemDefault()),
              id -> keys.map(known -> known.ofDriver(id).text()));
      KeptEntries kept = new KeptEntries(recovery, master::epoch);
      recovery.start(
          new RecoverySetup(self.process(), host, settings, keys.map(ClusterKeys::ofMasters)),
          new Office());
      Questions<FromClient> questions =
          new Questions<>(
              new Address(self.process(), "questions"),
              node::tell,
              answer -> ((ToClient) answer).requestId(),
              NetworkSetup.askTimeout(settings));
      node.run(MasterMessage.class, master, kept, Map.of(questions.address(), questions));
      Thread.ofVirtual().name("kiln-clock").start(this::tellTime);
      MasterSubmissions submissions = new MasterSubmissions(questions);
      Snapshot<MasterStateResponse> states =
          new Snapshot<>(submissions::state, StatusServer.AGE, System::nanoTime);
      web.serve(field -> states.get().thenApply(state -> json(state, field)));
      rest = RestGateway.start(settings, host, keys.map(MasterProcess::submissionKey), submissions);
    } catch (RuntimeException e) {
      opened.ifPresent(StatusServer::close);
      recovery.close();
      node.close();
      throw e;
    }
  }

  private void tellTime() {
    try {
      while (!closing) {
        Thread.sleep(TIME_TOLD_EVERY);
        node.tell(new TimeTold(Instant.now()));
      }
    } catch (KilnException | InterruptedException e) {
      LOG.debug("Nobody needs to know the time any more", e);
    }
  }

  /// As people have it in a file.
  private static byte[] submissionKey(ClusterKeys keys) {
    return keys.ofSubmitters().keyText().getBytes(StandardCharsets.US_ASCII);
  }

  private static Map<String, Object> json(MasterStateResponse state, String field) {
    return MasterJson.write(
        state.master(), state.cluster(), field, Instant.now(), ZoneId.systemDefault());
  }

  /// The master of this process, as those see it who elect.
  private final class Office implements Candidate {
    @Override
    public void elected(long epoch, Map<String, byte[]> entries) {
      try {
        List<MasterEntry> read = KeptEntries.read(entries);
        news.accept("It leads, as epoch " + epoch);
        node.tell(new Elected(epoch, read, Instant.now()));
      } catch (KilnException e) {
        MasterProcess.this.failed(e);
      }
    }

    @Override
    public void revoked(long epoch) {
      news.accept("It stands by: its epoch " + epoch + " is over, or may be");
      try {
        node.tell(new Deposed(epoch));
      } catch (KilnException e) {
        LOG.debug("It has stopped already", e);
      }
    }

    @Override
    public void failed(KilnException why) {
      MasterProcess.this.failed(why);
    }
  }

  /// As users give it with `--master`.
  String url() {
    return ClusterUrl.SCHEME + self.process();
  }

  /// Where its state is shown over HTTP.
  String webUrl() {
    return web.url(host);
  }

  /// Where submissions over HTTP are taken, if they are.
  Optional<Integer> restPort() {
    return rest.map(RestGateway::port);
  }

  private void failed(KilnException failure) {
    if (closing) {
      LOG.debug("It is ending", failure);
      return;
    }
    System.err.println("Error: " + failure.getMessage());
    ended.countDown();
  }

  /// Returns when the master has failed or is closed.
  void await() {
    try {
      ended.await();
    } catch (InterruptedException e) {
      LOG.debug("Interrupted", e);
    }
  }

  @Override
  public void close() {
    closing = true;
    rest.ifPresent(RestGateway::close);
    web.close();
    node.stop(); // before what it keeps goes where
    recovery.close(); // another may lead at once
    node.close();
    ended.countDown();
  }
}
