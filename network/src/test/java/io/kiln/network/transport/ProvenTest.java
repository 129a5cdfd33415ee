package io.kiln.network.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.base.machine.Message;
import io.kiln.network.security.Credentials;
import io.kiln.network.security.Proof;
import io.kiln.network.security.Protection;
import io.kiln.network.security.Protection.Encrypted;
import io.kiln.network.security.Protection.Proven;
import io.kiln.network.transport.Ground.Fetch;
import io.kiln.network.transport.Ground.Numbered;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A secret that is proved on connections that aren't encrypted.
@Timeout(60)
class ProvenTest {
  private static final Credentials SECRET = Credentials.ofAll(Ground.SECRET.orElseThrow());
  private static final Proven PROVEN = new Proven(SECRET);

  private final BlockingQueue<Message> received = new LinkedBlockingQueue<>();

  private static Ground ground(Protection server, Protection client) {
    return new Ground(
        Ground.options("driver", server), Ground.options("executor-1", client), Ground.CODEC);
  }

  /// A raw connection's frames.
  private record Frames(Socket socket, DataInputStream in, DataOutputStream out)
      implements AutoCloseable {
    static Frames over(Socket socket) throws IOException {
      socket.setSoTimeout(20_000);
      return new Frames(
          socket,
          new DataInputStream(socket.getInputStream()),
          new DataOutputStream(socket.getOutputStream()));
    }

    static Frames to(NodeAddress address) throws IOException {
      return over(new Socket(address.host(), address.port()));
    }

    byte[] read() throws IOException {
      return in.readNBytes(in.readInt());
    }

    void write(byte[] frame) throws IOException {
      out.writeInt(frame.length);
      out.write(frame);
      out.flush();
    }

    boolean isClosed() throws IOException {
      return in.read() < 0;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static byte[] introduction(byte[] proof) {
    return new Introduction(
            proof,
            Introduction.PROTOCOL_VERSION,
            Ground.CODEC.fingerprint(),
            Introduction.Purpose.MESSAGES,
            new Peer("executor-1", 3, "0.1"))
        .toBytes();
  }

  private static byte[] nonce(int fill) {
    byte[] nonce = new byte[Proof.NONCE_BYTES];
    Arrays.fill(nonce, (byte) fill);
    return nonce;
  }

  @Test
  void messagesAndStreamsArrive() throws Exception {
    try (Ground ground = ground(PROVEN, PROVEN)) {
      ground.server.addReceiver("tasks", (_, message) -> received.add(message));
      ground.server.serve((_, _) -> Content.OfBytes.of(new byte[100_000]));
      ground.client.link(ground.address).send("tasks", new Numbered(1, "good"));
      assertThat(Ground.next(received)).isEqualTo(new Numbered(1, "good"));
      try (ContentStream stream = ground.client.open(ground.address, new Fetch("x"))) {
        assertThat(stream.readAllBytes()).hasSize(100_000);
      }
    }
  }

  @Test
  void aWrongSecretGetsNothing() throws Exception {
    Proven guess = new Proven(Credentials.ofAll("a guess".getBytes(StandardCharsets.UTF_8)));
    try (Ground ground = ground(PROVEN, guess)) {
      ground.client.link(ground.address).send("tasks", new Numbered(1, "bad"));
      assertThat(Ground.next(ground.clientHeard.closed)).contains("secrets");
      assertThatThrownBy(() -> ground.client.open(ground.address, new Fetch("x")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("secrets");
    }
  }

  @Test
  void whoeverUsesNoSecretOrOtherProtectionIsKeptOut() throws Exception {
    for (Protection client : new Protection[] {new Protection.None(), new Encrypted(SECRET)}) {
      try (Ground ground = ground(PROVEN, client);
          Ground other = ground(client, PROVEN)) {
        Link _ = ground.client.link(ground.address);
        assertThat(Ground.next(ground.clientHeard.closed)).isNotEmpty().hasLineCount(1);
        Link _ = other.client.link(other.address);
        assertThat(Ground.next(other.clientHeard.closed)).isNotEmpty().hasLineCount(1);
        assertThat(ground.serverHeard.opened).isEmpty();
        assertThat(other.serverHeard.opened).isEmpty();
      }
    }
  }

  /// What was overheard is worth nothing the next time, since the server's number is another.
  @Test
  void aProofCanNotBeReplayed() throws Exception {
    try (Ground ground = ground(PROVEN, PROVEN)) {
      byte[] own = nonce(1);
      byte[] overheard;
      try (Frames honest = Frames.to(ground.address)) {
        honest.write(own);
        overheard =
            introduction(Proof.on(own, honest.read(), SECRET).of(Proof.Side.CLIENT, "executor-1"));
        honest.write(overheard);
        assertThat(honest.read()).as("it is believed").isNotEmpty();
      }
      try (Frames replaying = Frames.to(ground.address)) {
        replaying.write(own);
        assertThat(replaying.read()).hasSize(Proof.NONCE_BYTES);
        replaying.write(overheard);
        assertThat(replaying.isClosed()).isTrue();
      }
    }
  }

  /// Whoever sits on the port of a driver that is gone gets no message, though he sends back all
  /// that he gets.
  @Test
  void aClientIsNotDeceivedByItsOwnWords() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Ground ground = ground(PROVEN, PROVEN)) {
      ground
          .client
          .link(new NodeAddress("127.0.0.1", listening.getLocalPort()))
          .send("tasks", new Numbered(1, "for the driver alone"));
      try (Frames client = Frames.over(listening.accept())) {
        client.write(client.read());
        client.write(client.read());
        assertThat(client.isClosed()).isTrue();
      }
      assertThat(Ground.next(ground.clientHeard.closed)).contains("does not know the secret");
    }
  }

  @Test
  void aServerSaysNothingOfItselfBeforeItBelieves() throws Exception {
    try (Ground ground = ground(PROVEN, PROVEN);
        Frames stranger = Frames.to(ground.address)) {
      stranger.write(nonce(0));
      assertThat(stranger.read()).hasSize(Proof.NONCE_BYTES);
      stranger.write(introduction(Introduction.NO_PROOF));
      assertThat(stranger.isClosed()).isTrue();
    }
    try (Ground ground = ground(PROVEN, PROVEN);
        Frames stranger = Frames.to(ground.address)) {
      stranger.write(new byte[Proof.NONCE_BYTES - 1]);
      assertThat(stranger.isClosed()).isTrue();
    }
  }

  @Test
  void eachConnectionHasNumbersOfItsOwn() throws Exception {
    try (Ground ground = ground(PROVEN, PROVEN);
        Frames first = Frames.to(ground.address);
        Frames second = Frames.to(ground.address)) {
      first.write(nonce(0));
      second.write(nonce(0));
      assertThat(first.read()).isNotEqualTo(second.read());
    }
  }
}
