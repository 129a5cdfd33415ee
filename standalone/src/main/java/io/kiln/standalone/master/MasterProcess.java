package io.kiln.standalone.master;

import io.kiln.api.KilnException;
import io.kiln.api.Version;
import io.kiln.base.machine.Address;
import io.kiln.base.settings.Master.Standalone;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.StandaloneSettings;
import io.kiln.cluster.master.Master;
import io.kiln.cluster.master.MasterEntry;
import io.kiln.cluster.master.MasterEvent.Elected;
import io.kiln.cluster.master.MasterOptions;
import io.kiln.cluster.protocol.MasterMessage;
import io.kiln.driver.cluster.ApplicationSecret;
import io.kiln.executor.protocol.NetworkSetup;
import io.kiln.network.transport.Peer;
import io.kiln.runtime.Journal;
import io.kiln.standalone.node.ClusterNode;
import io.kiln.standalone.node.ClusterSecret;
import io.kiln.standalone.node.Role;
import io.kiln.standalone.rest.RestGateway;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A master in this process: listens, takes what it kept, leads. Thread-safe.
final class MasterProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MasterProcess.class);

  private final ClusterNode node;
  private final Optional<EntryLog> log;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Address self;
  private final Optional<RestGateway> rest;

  /// @throws KilnException if it can't listen, has no secret, or can't keep what it must
  static MasterProcess start(Settings settings, String host, int port, int webPort) {
    Optional<EntryLog> log = log(settings);
    try {
      return new MasterProcess(settings, host, port, log);
    } catch (RuntimeException e) {
      log.ifPresent(EntryLog::close);
      throw e;
    }
  }

  private MasterProcess(Settings settings, String host, int port, Optional<EntryLog> log) {
    this.log = log;
    long now = System.currentTimeMillis();
    Optional<byte[]> secret = ClusterSecret.orNew(settings).map(ApplicationSecret::bytes);
    node =
        new ClusterNode(
            Role.MASTER,
            NetworkSetup.options(settings, new Peer("master", now, Version.CURRENT), secret),
            this::failed);
    self = node.listen(host, host, port);
    MasterOptions options = MasterOptions.of(settings, ZoneId.systemDefault());
    List<MasterEntry> entries = log.map(EntryLog::entries).orElse(List.of());
    Journal journal = log.isPresent() ? log.get() : _ -> {};
    MasterSubmissions submissions =
        new MasterSubmissions(self.process(), node::tell, NetworkSetup.askTimeout(settings));
    // Greater than that of any master before, as long as the clock is not set back.
    node.run(
        MasterMessage.class,
        new Master(self, url(), "", options),
        journal,
        Map.of(submissions.address(), submissions),
        new Elected(now, entries, Instant.ofEpochMilli(now)));
    try {
      rest = RestGateway.start(settings, host, secret, submissions);
    } catch (KilnException e) {
      node.close();
      throw e;
    }
  }

  private static Optional<EntryLog> log(Settings settings) {
    if (settings.get(StandaloneSettings.RECOVERY_MODE).equals("NONE")) {
      return Optional.empty();
    }
    return Optional.of(
        new EntryLog(
            settings
                .find(StandaloneSettings.RECOVERY_DIRECTORY)
                .map(Path::of)
                .orElseThrow(
                    () ->
                        new KilnException(
                            "SETTING_INVALID",
                            KilnException.Kind.USER,
                            StandaloneSettings.RECOVERY_MODE.key()
                                + " is FILESYSTEM, and "
                                + StandaloneSettings.RECOVERY_DIRECTORY.key()
                                + " is not set: name the directory"))));
  }

  /// As users give it with `--master`.
  String url() {
    return Standalone.SCHEME + self.process();
  }

  /// Where submissions over HTTP are taken, if they are.
  Optional<Integer> restPort() {
    return rest.map(RestGateway::port);
  }

  private void failed(KilnException failure) {
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
    rest.ifPresent(RestGateway::close);
    node.close();
    log.ifPresent(EntryLog::close);
    ended.countDown();
  }
}
