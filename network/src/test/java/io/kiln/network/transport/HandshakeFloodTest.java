package io.kiln.network.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.base.machine.Message;
import io.kiln.network.security.Certificates;
import io.kiln.network.security.Credentials;
import io.kiln.network.security.Protection;
import io.kiln.network.security.Stores;
import io.kiln.network.transport.Ground.Numbered;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Strangers begin hand-shakes, many of them, and leave them there.
@Timeout(120)
class HandshakeFloodTest {
  private static final InetAddress STRANGER = address("127.0.0.9");
  private static final int FLOOD = PendingConnections.MAX + 300;

  @TempDir private static Path directory;

  private final BlockingQueue<Message> received = new LinkedBlockingQueue<>();
  private final List<Socket> flood = new ArrayList<>();

  private static InetAddress address(String literal) {
    return InetAddress.ofLiteral(literal);
  }

  private static Ground ground(Protection protection) {
    Duration patience = Duration.ofSeconds(100);
    return new Ground(
        Ground.options("driver", protection).withConnectTimeout(patience),
        Ground.options("executor-1", protection).withConnectTimeout(patience),
        Ground.CODEC);
  }

  private void begin(NodeAddress at, byte[] hello) throws IOException {
    Socket socket = new Socket();
    flood.add(socket);
    socket.bind(new InetSocketAddress(STRANGER, 0));
    socket.connect(new InetSocketAddress(address("127.0.0.1"), at.port()));
    socket.getOutputStream().write(hello);
  }

  private static byte[] clientHello() throws Exception {
    SSLEngine engine = SSLContext.getDefault().createSSLEngine();
    engine.setUseClientMode(true);
    ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), hello);
    byte[] bytes = new byte[hello.flip().remaining()];
    hello.get(bytes);
    return bytes;
  }

  private void closeFlood() throws IOException {
    for (Socket socket : flood) {
      socket.close();
    }
  }

  @Test
  void aFloodOfClientHellosKeepsNobodyElseOut() throws Exception {
    byte[] hello = clientHello();
    try (Ground ground = ground(new Protection.Encrypted(Credentials.ofAll(new byte[] {1})))) {
      ground.server.addReceiver("tasks", (_, message) -> received.add(message));
      try {
        for (int i = 0; i < FLOOD; i++) {
          begin(ground.address, hello);
        }
        ground.client.link(ground.address).send("tasks", new Numbered(1, "good"));
        assertThat(Ground.next(received)).isEqualTo(new Numbered(1, "good"));
      } finally {
        closeFlood();
      }
    }
  }

  /// What a hand-shake costs is paid by other threads than those that move everybody's bytes.
  @Test
  void linksGoOnWhileHandshakesTakeLong() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    Slow key = new Slow(slow);
    Protection own =
        new Protection.Certified(
            key.certificates(), Optional.of(Credentials.ofAll(new byte[] {1})));
    byte[] hello = clientHello();
    try (Ground ground = ground(own);
        Transport another =
            new Transport(Ground.options("executor-2", own), Ground.CODEC, LinkListener.NONE)) {
      ground.server.addReceiver("tasks", (_, message) -> received.add(message));
      // each on another of the server's threads
      List<Link> links = List.of(ground.client.link(ground.address), another.link(ground.address));
      for (Link link : links) {
        link.send("tasks", new Numbered(1, "before"));
        assertThat(Ground.next(received)).isEqualTo(new Numbered(1, "before"));
      }
      key.armed = true;
      try {
        for (int i = 0; i < 20; i++) {
          begin(ground.address, hello);
        }
        assertThat(Ground.next(key.entered)).isTrue();
        for (Link link : links) {
          link.send("tasks", new Numbered(2, "meanwhile"));
          assertThat(Ground.next(received)).isEqualTo(new Numbered(2, "meanwhile"));
        }
      } finally {
        slow.countDown();
        closeFlood();
      }
    }
  }

  /// A key whose use takes as long as the test likes.
  private static final class Slow extends X509ExtendedKeyManager {
    final BlockingQueue<Boolean> entered = new LinkedBlockingQueue<>();
    volatile boolean armed;

    private final CountDownLatch end;
    private final X509ExtendedKeyManager real;
    private final KeyStore store = KeyStore.getInstance("PKCS12");

    Slow(CountDownLatch end) throws Exception {
      this.end = end;
      Path file = new Stores(directory).key("own");
      try (InputStream in = Files.newInputStream(file)) {
        store.load(in, Stores.PASSWORD.toCharArray());
      }
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(store, Stores.PASSWORD.toCharArray());
      real = (X509ExtendedKeyManager) keys.getKeyManagers()[0];
    }

    Certificates certificates() throws Exception {
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      KeyStore believed = KeyStore.getInstance("PKCS12");
      believed.load(null, null);
      believed.setCertificateEntry("own", store.getCertificate("own"));
      trust.init(believed);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {this}, new TrustManager[] {trust.getTrustManagers()[0]}, null);
      return new Certificates(context, "TLSv1.3", Optional.empty(), false);
    }

    @Override
    public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
      if (armed) {
        entered.add(true);
        try {
          end.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return real.chooseEngineServerAlias(keyType, issuers, engine);
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
      return real.getClientAliases(keyType, issuers);
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
      return real.chooseClientAlias(keyTypes, issuers, socket);
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
      return real.getServerAliases(keyType, issuers);
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
      return real.chooseServerAlias(keyType, issuers, socket);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return real.getCertificateChain(alias);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return real.getPrivateKey(alias);
    }
  }
}
