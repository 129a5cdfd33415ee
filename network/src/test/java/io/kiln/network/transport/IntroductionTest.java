package io.kiln.network.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnConf;
import io.kiln.base.machine.Message;
import io.kiln.base.settings.Settings;
import io.kiln.network.security.Credentials;
import io.kiln.network.security.Proof;
import io.kiln.network.security.Protection;
import io.kiln.network.security.SharedKey;
import io.kiln.network.security.ThrowawayIdentity;
import io.kiln.network.transport.Ground.Fetch;
import io.kiln.network.transport.Ground.Numbered;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Who is let in, and who isn't.
@Timeout(60)
class IntroductionTest {
  private final BlockingQueue<Message> received = new LinkedBlockingQueue<>();

  private void assertServes(Ground ground) throws Exception {
    try (Transport good =
        new Transport(
            Ground.options("executor-9", Ground.SECRET), Ground.CODEC, LinkListener.NONE)) {
      good.link(ground.address).send("tasks", new Numbered(7, "good"));
      assertThat(Ground.next(received)).isEqualTo(new Numbered(7, "good"));
    }
  }

  private Ground listening(Optional<byte[]> clientSecret) {
    Ground ground = new Ground(Ground.SECRET, clientSecret);
    ground.server.addReceiver("tasks", (_, message) -> received.add(message));
    return ground;
  }

  @Test
  void aWrongSecretGetsNothing() throws Exception {
    try (Ground ground =
        listening(Optional.of("another secret".getBytes(StandardCharsets.UTF_8)))) {
      ground.client.link(ground.address).send("tasks", new Numbered(1, "bad"));
      assertThat(Ground.next(ground.clientHeard.closed)).contains("secrets");
      assertThatThrownBy(() -> ground.client.open(ground.address, new Fetch("x")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("secrets");
      assertServes(ground);
      assertThat(received).isEmpty();
    }
  }

  @Test
  void withoutASecretNobodyComesIn() throws Exception {
    try (Ground ground = listening(Optional.empty())) {
      ground.client.link(ground.address).send("tasks", new Numbered(1, "bad"));
      assertThat(Ground.next(ground.clientHeard.closed)).isNotEmpty();
      assertServes(ground);
      assertThat(received).isEmpty();
    }
  }

  /// Whoever sits on the port of a driver that is gone hears nothing but the client's proof.
  @Test
  void aServerThatDoesNotKnowTheSecretGetsNoMessage() throws Exception {
    SSLContext identity = ThrowawayIdentity.newContext();
    try (SSLServerSocket listening =
            (SSLServerSocket) identity.getServerSocketFactory().createServerSocket(0);
        Ground ground = new Ground(true)) {
      Link link = ground.client.link(new NodeAddress("localhost", listening.getLocalPort()));
      link.send("tasks", new Numbered(1, "for the driver alone"));
      try (Socket client = listening.accept()) {
        DataInputStream in = new DataInputStream(client.getInputStream());
        byte[] theirs = in.readNBytes(in.readInt());
        Introduction claimed =
            new Introduction(
                Arrays.copyOfRange(theirs, 4, 4 + Proof.BYTES), // theirs, sent back
                Introduction.PROTOCOL_VERSION,
                Ground.CODEC.fingerprint(),
                Introduction.Purpose.MESSAGES,
                new Peer("driver", 0, "0.1"));
        byte[] ours = claimed.toBytes();
        DataOutputStream out = new DataOutputStream(client.getOutputStream());
        out.writeInt(ours.length);
        out.write(ours);
        out.flush();
        assertThat(in.read()).isNegative();
      }
      assertThat(Ground.next(ground.clientHeard.closed)).contains("does not know the secret");
    }
  }

  @Test
  void anotherBuildIsTold() throws Exception {
    try (Ground ground =
        new Ground(
            Ground.options("driver", Ground.SECRET),
            TransportOptions.of(new Peer("executor-1", 0, "0.2"), Ground.SECRET),
            Ground.OTHER_CODEC)) {
      Link _ = ground.client.link(ground.address);
      assertThat(Ground.next(ground.clientHeard.closed))
          .contains("Kiln 0.1", "Kiln 0.2", "use one build")
          .hasLineCount(1);
    }
  }

  @Test
  void randomBytesAndHalfIntroductionsHarmNobody() throws Exception {
    Random random = new Random(5);
    for (Optional<byte[]> secret : List.of(Ground.SECRET, Optional.<byte[]>empty())) {
      try (Ground ground = new Ground(secret, secret)) {
        for (int i = 0; i < 50; i++) {
          byte[] bytes = new byte[random.nextInt(1, 3000)];
          random.nextBytes(bytes);
          if (i % 3 == 0) {
            bytes = new byte[] {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF}; // 4 GB
          }
          sendAndAwaitEnd(ground.address, bytes, i % 2 == 0);
        }
        ground.server.addReceiver("tasks", (_, message) -> received.add(message));
        ground.client.link(ground.address).send("tasks", new Numbered(1, "good"));
        assertThat(Ground.next(received)).isEqualTo(new Numbered(1, "good"));
      }
    }
  }

  /// @param hangUp whether this side closes, rather than waits for the other to
  private static void sendAndAwaitEnd(NodeAddress address, byte[] bytes, boolean hangUp)
      throws IOException {
    try (Socket socket = new Socket(address.host(), address.port());
        OutputStream out = socket.getOutputStream();
        InputStream in = socket.getInputStream()) {
      socket.setSoTimeout(20_000);
      out.write(bytes);
      out.flush();
      if (!hangUp) {
        socket.shutdownOutput();
        while (in.read() >= 0) {
          // TLS says in an alert what it thinks of it
        }
      }
    } catch (SocketException e) {
      // closed hard: as good
    }
  }

  @Test
  void whoSaysNothingIsClosed() throws Exception {
    TransportOptions server =
        Ground.options("driver", Ground.SECRET).withConnectTimeout(Duration.ofMillis(300));
    try (Ground ground =
            new Ground(server, Ground.options("executor-1", Ground.SECRET), Ground.CODEC);
        Socket silent = new Socket(ground.address.host(), ground.address.port())) {
      silent.setSoTimeout(20_000);
      assertThat(silent.getInputStream().read()).isNegative();
    }
  }

  @Test
  void manyWhoSayNothingKeepNobodyOut() throws Exception {
    int tooMany = 500;
    List<SocketChannel> idle = new ArrayList<>();
    TransportOptions patient =
        Ground.options("driver", Ground.SECRET).withConnectTimeout(Duration.ofHours(1));
    try (Ground ground =
            new Ground(patient, Ground.options("executor-1", Ground.SECRET), Ground.CODEC);
        Selector ends = Selector.open();
        SSLSocket slow =
            (SSLSocket)
                ThrowawayIdentity.newContext()
                    .getSocketFactory()
                    .createSocket(ground.address.host(), ground.address.port())) {
      slow.startHandshake(); // the oldest of all, but it has said something
      ground.server.addReceiver("tasks", (_, message) -> received.add(message));
      InetSocketAddress address =
          new InetSocketAddress(ground.address.host(), ground.address.port());
      for (int i = 0; i < PendingConnections.MAX + tooMany; i++) {
        SocketChannel silent = SocketChannel.open(address);
        idle.add(silent);
        silent.configureBlocking(false).register(ends, SelectionKey.OP_READ);
      }
      assertServes(ground);
      for (int closed = 0; closed < tooMany; ) {
        assertThat(ends.select(20_000)).as("closed so far: %s", closed).isPositive();
        for (SelectionKey key : ends.selectedKeys()) {
          key.cancel();
          closed++;
        }
        ends.selectedKeys().clear();
      }
      slow.setSoTimeout(20_000);
      DataOutputStream out = new DataOutputStream(slow.getOutputStream());
      byte[] late =
          new Introduction(
                  Proof.on(slow.getSession(), Ground.KNOWN.orElseThrow())
                      .of(Proof.Side.CLIENT, "executor-8"),
                  Introduction.PROTOCOL_VERSION,
                  Ground.CODEC.fingerprint(),
                  Introduction.Purpose.MESSAGES,
                  new Peer("executor-8", 0, "0.1"))
              .toBytes();
      out.writeInt(late.length);
      out.write(late);
      assertThat(new DataInputStream(slow.getInputStream()).readInt()).isPositive();
    } finally {
      for (SocketChannel channel : idle) {
        channel.close();
      }
    }
  }

  @Test
  void ofTooManyTheOldestGoes() {
    PendingConnections pending = new PendingConnections();
    List<EmbeddedChannel> channels =
        Stream.generate(EmbeddedChannel::new).limit(PendingConnections.MAX + 3).toList();
    channels.subList(0, PendingConnections.MAX).forEach(pending::add);
    pending.remove(channels.get(1)); // it is believed now
    channels.get(2).close(); // it gave up
    channels.subList(PendingConnections.MAX, PendingConnections.MAX + 3).forEach(pending::add);

    assertThat(channels.stream().map(EmbeddedChannel::isOpen).toList())
        .startsWith(false, true, false, true)
        .endsWith(true);
    assertThat(channels.stream().filter(channel -> !channel.isOpen())).hasSize(2);
  }

  @Test
  void whoeverIsTalkingGoesAfterThoseThatSayNothing() {
    PendingConnections pending = new PendingConnections();
    List<EmbeddedChannel> channels =
        Stream.generate(EmbeddedChannel::new).limit(PendingConnections.MAX + 2).toList();
    channels.subList(0, PendingConnections.MAX).forEach(pending::add);
    pending.spoke(channels.get(0));
    pending.add(channels.get(PendingConnections.MAX));
    assertThat(channels.get(0).isOpen()).isTrue();
    assertThat(channels.get(1).isOpen()).isFalse();

    channels.subList(2, PendingConnections.MAX + 1).forEach(pending::spoke);
    pending.add(channels.get(PendingConnections.MAX + 1));
    assertThat(channels.get(0).isOpen()).isFalse();
    assertThat(channels.getLast().isOpen()).isTrue();
  }

  @Test
  void aPortThatWasNamedIsThatOneOrNone() {
    Settings settings = Settings.of(new KilnConf(false));
    Settings range = Settings.of(new KilnConf(false).set("spark.port.maxRetries", "16"));
    try (Transport other =
            new Transport(Ground.options("a", Ground.SECRET), Ground.CODEC, LinkListener.NONE);
        Transport second =
            new Transport(Ground.options("b", Ground.SECRET), Ground.CODEC, LinkListener.NONE)) {
      int taken = other.listen("127.0.0.1", "localhost", 0).port();
      assertThatThrownBy(
              () ->
                  second.listen(
                      "127.0.0.1", "localhost", ListenPort.named(settings, taken, "spark.a.port")))
          .hasMessageContaining("port " + taken + " is taken by process")
          .hasMessageContaining(Long.toString(ProcessHandle.current().pid()))
          .hasMessageContaining("choose another by spark.a.port");
      assertThatThrownBy(() -> second.listen("127.0.0.1", "localhost", taken))
          .hasMessageContaining("is taken");
      for (ListenPort passing :
          List.of(
              ListenPort.usual(settings, taken, ""), // nobody named it
              ListenPort.named(range, taken, ""))) { // somebody named what follows too
        NodeAddress next = second.listen("127.0.0.1", "advertised.example", passing);
        assertThat(next.host()).isEqualTo("advertised.example");
        assertThat(next.port()).isBetween(taken + 1, taken + 16);
      }
      assertThatThrownBy(() -> second.listen("192.0.2.1", "x", 0))
          .hasMessageContaining("can't listen on 192.0.2.1");
    }
  }

  @Test
  void addresses() {
    assertThat(NodeAddress.parse("node7:7077")).isEqualTo(new NodeAddress("node7", 7077));
    assertThat(NodeAddress.parse("[::1]:80")).isEqualTo(new NodeAddress("::1", 80));
    assertThat(new NodeAddress("::1", 80)).hasToString("[::1]:80");
    for (String bad : List.of("node7", "node7:", ":1", "a:0", "a:65536", "a:x", "::1:80", "")) {
      assertThatThrownBy(() -> NodeAddress.parse(bad)).hasMessageContaining("is no address");
    }
  }

  /// The proof is of the name: a name by which nobody may come is refused, whatever is proved.
  @Test
  void whoeverIsNobodyHereIsRefused() throws Exception {
    SharedKey key = new SharedKey(Ground.SECRET.orElseThrow());
    Protection onlyWorkers =
        new Protection.Encrypted(
            new Credentials(
                key, name -> name.equals("worker") ? Optional.of(key) : Optional.empty()));
    try (Transport server =
            new Transport(Ground.options("driver", onlyWorkers), Ground.CODEC, LinkListener.NONE);
        Transport worker =
            new Transport(
                Ground.options("worker", Ground.SECRET), Ground.CODEC, LinkListener.NONE);
        Transport task =
            new Transport(Ground.options("task", Ground.SECRET), Ground.CODEC, LinkListener.NONE)) {
      server.addResponder("who", (from, _) -> new Numbered(1, from.peer().orElseThrow().process()));
      NodeAddress address = server.listen("127.0.0.1", "127.0.0.1", 0);
      assertThat(worker.link(address).ask("who", new Numbered(0, ""), Duration.ofSeconds(60)).get())
          .isEqualTo(new Numbered(1, "worker"));
      assertThatThrownBy(
              () ->
                  task.link(address).ask("who", new Numbered(0, ""), Duration.ofSeconds(60)).get())
          .hasMessageContaining("closed the connection");
    }
  }
}
