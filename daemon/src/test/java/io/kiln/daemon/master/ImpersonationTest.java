package io.kiln.daemon.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnConf;
import io.kiln.api.Version;
import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.base.settings.Settings;
import io.kiln.cluster.protocol.FromApplication.UnregisterApplication;
import io.kiln.cluster.protocol.FromClient.RequestKillAllDrivers;
import io.kiln.cluster.protocol.FromClient.RequestMasterState;
import io.kiln.cluster.protocol.FromWorker.UnregisterWorker;
import io.kiln.cluster.protocol.ToClient.MasterStateResponse;
import io.kiln.network.security.Credentials;
import io.kiln.network.security.Protection;
import io.kiln.network.security.SharedKey;
import io.kiln.network.security.Verifier;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.LinkListener;
import io.kiln.network.transport.ListenPort;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Peer;
import io.kiln.network.transport.Transport;
import io.kiln.network.transport.TransportOptions;
import io.kiln.node.ClusterKeys;
import io.kiln.node.ClusterProtocol;
import io.kiln.node.KeyFiles;
import io.kiln.node.RoleKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Somebody who has the one key and poses as the other.
@Timeout(120)
class ImpersonationTest {
  private static final String TAKEN = "taken";

  @TempDir static Path directory;
  private static MasterProcess master;
  private static NodeAddress address;
  private static Settings settings;

  @BeforeAll
  static void start() {
    settings =
        Settings.of(
            new KilnConf(false)
                .set("spark.kiln.deploy.secretFile", directory.resolve("secret").toString()));
    master =
        MasterProcess.start(settings, "127.0.0.1", ListenPort.any(), ListenPort.any(), _ -> {});
    address = NodeAddress.parse(master.url().substring("spark://".length()));
  }

  @AfterAll
  static void stop() {
    master.close();
  }

  /// Says one thing in a name, and then asks as anybody may who submits.
  ///
  /// @return how it ends: [#TAKEN], or why the link was closed
  private static String attempt(Credentials credentials, String name, Message said)
      throws InterruptedException {
    BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    LinkListener listener =
        new LinkListener() {
          @Override
          public void linkClosed(Link link, String why) {
            ends.add(why);
          }
        };
    try (Transport transport =
        new Transport(
            TransportOptions.of(
                new Peer(name, 1, Version.CURRENT), new Protection.Encrypted(credentials)),
            ClusterProtocol.codec(),
            listener)) {
      transport.addReceiver(
          "Client",
          (_, answer) -> {
            if (answer instanceof MasterStateResponse) {
              ends.add(TAKEN);
            }
          });
      Link link = transport.link(address);
      ClusterProtocol.introduce(link, "me:1");
      link.send("Master", said);
      link.send("Master", new RequestMasterState(new Address("me:1", "Client"), "q"));
      return ends.take();
    }
  }

  private static Credentials submitter() {
    return KeyFiles.ofSubmitter(settings).map(RoleKey::credentials).orElseThrow();
  }

  private static final Message KILL_ALL =
      new RequestKillAllDrivers(new Address("me:1", "Client"), "k");
  private static final Message GO = new UnregisterWorker("w", 1, 1);
  private static final Message END =
      new UnregisterApplication(1, 1, "app-1", new Address("me:1", "AppClient"));

  /// A task has its application's secret, which is nobody's key.
  @Test
  void aTaskIsNobodyToAMaster() throws Exception {
    Credentials task = Credentials.ofAll("of an application".getBytes(StandardCharsets.UTF_8));
    for (String name : new String[] {"executor-1", "worker", "master", "application", "client"}) {
      assertThat(attempt(task, name, GO)).as(name).contains("closed the connection");
    }
  }

  @Test
  void whoSubmitsIsNoWorkerNorMasterNorAnothersDriver() throws Exception {
    assertThat(attempt(submitter(), "client", KILL_ALL)).isEqualTo(TAKEN);
    for (String name : new String[] {"worker", "master", "driver/driver-1"}) {
      assertThat(attempt(submitter(), name, GO)).as(name).contains("closed the connection");
    }
  }

  @Test
  void anApplicationSaysNothingButAnApplicationsWords() throws Exception {
    assertThat(attempt(submitter(), "application", KILL_ALL)).isNotEqualTo(TAKEN);
    assertThat(attempt(submitter(), "application", GO)).isNotEqualTo(TAKEN);
    assertThat(
            attempt(
                submitter(),
                "application",
                new UnregisterApplication(1, 1, "app-1", new Address("other:1", "AppClient"))))
        .isNotEqualTo(TAKEN);
    byte[] secret =
        Files.readString(directory.resolve("secret")).strip().getBytes(StandardCharsets.UTF_8);
    Credentials driver = new ClusterKeys(secret).ofDriver("driver-1").credentials();
    assertThat(attempt(driver, "driver/driver-1", KILL_ALL)).isNotEqualTo(TAKEN);
    assertThat(attempt(driver, "driver/driver-2", END)).contains("closed the connection");
  }

  @Test
  void aWorkerSubmitsNothing() throws Exception {
    Credentials worker = KeyFiles.ofWorker(settings).map(RoleKey::credentials).orElseThrow();
    assertThat(attempt(worker, "worker", KILL_ALL)).isNotEqualTo(TAKEN);
    for (String name : new String[] {"client", "application", "master", "driver/driver-1"}) {
      assertThat(attempt(worker, name, KILL_ALL)).as(name).contains("closed the connection");
    }
  }

  /// Whoever has a worker's or a submitter's key and a master's port is no master to others.
  @Test
  void nobodyElseIsAMaster() throws Exception {
    Credentials worker = KeyFiles.ofWorker(settings).map(RoleKey::credentials).orElseThrow();
    for (Credentials other : new Credentials[] {worker, submitter()}) {
      Credentials believing = new Credentials(other.own(), _ -> submitterKey());
      try (Transport posing =
          new Transport(
              TransportOptions.of(
                  new Peer("master", 1, Version.CURRENT), new Protection.Encrypted(believing)),
              ClusterProtocol.codec(),
              LinkListener.NONE)) {
        NodeAddress at = posing.listen("127.0.0.1", "127.0.0.1", 0);
        BlockingQueue<String> ends = new LinkedBlockingQueue<>();
        LinkListener listener =
            new LinkListener() {
              @Override
              public void linkClosed(Link link, String why) {
                ends.add(why);
              }
            };
        try (Transport client =
            new Transport(
                TransportOptions.of(
                    new Peer("client", 1, Version.CURRENT), new Protection.Encrypted(submitter())),
                ClusterProtocol.codec(),
                listener)) {
          Link _ = client.link(at);
          assertThat(ends.take()).contains("does not know the secret");
        }
      }
    }
  }

  private static Optional<Verifier> submitterKey() {
    return Optional.of(new SharedKey(KeyFiles.ofSubmitter(settings).orElseThrow().key()));
  }
}
