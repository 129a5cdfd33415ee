package io.kiln.network.transport;

import io.kiln.base.machine.Message;
import io.kiln.network.codec.RecordCodec;
import io.kiln.network.security.Credentials;
import io.kiln.network.security.Protection;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Two processes, as far as the network is concerned, in one.
final class Ground implements AutoCloseable {
  record Numbered(long number, String text) implements Message {}

  record Blob(byte[] bytes) implements Message {}

  record Question(String text) {}

  record Answer(String text) {}

  record Fetch(String name) {}

  /// As [Numbered], in another version.
  record Renumbered(int number) implements Message {}

  static final RecordCodec CODEC =
      RecordCodec.builder(MethodHandles.lookup())
          .add(1, Numbered.class)
          .add(2, Blob.class)
          .add(3, Question.class)
          .add(4, Answer.class)
          .add(5, Fetch.class)
          .build();
  static final RecordCodec OTHER_CODEC =
      RecordCodec.builder(MethodHandles.lookup()).add(1, Renumbered.class).build();

  static final Optional<byte[]> SECRET =
      Optional.of("the secret of this test".getBytes(StandardCharsets.UTF_8));
  static final Optional<Credentials> KNOWN = SECRET.map(Credentials::ofAll);

  /// Keeps what it hears.
  static final class Heard implements LinkListener {
    final BlockingQueue<Link> opened = new LinkedBlockingQueue<>();
    final BlockingQueue<String> closed = new LinkedBlockingQueue<>();

    @Override
    public void linkOpened(Link link) {
      opened.add(link);
    }

    @Override
    public void linkClosed(Link link, String why) {
      closed.add(why);
    }
  }

  final Heard serverHeard = new Heard();
  final Heard clientHeard = new Heard();
  final Transport server;
  final Transport client;
  final NodeAddress address;

  Ground(boolean secured) {
    this(secured ? SECRET : Optional.empty(), secured ? SECRET : Optional.empty());
  }

  Ground(Optional<byte[]> serverSecret, Optional<byte[]> clientSecret) {
    this(options("driver", serverSecret), options("executor-1", clientSecret), CODEC);
  }

  Ground(TransportOptions serverOptions, TransportOptions clientOptions, RecordCodec clientCodec) {
    server = new Transport(serverOptions, CODEC, serverHeard);
    client = new Transport(clientOptions, clientCodec, clientHeard);
    address = server.listen("127.0.0.1", "localhost", 0);
  }

  static TransportOptions options(String process, Optional<byte[]> secret) {
    return TransportOptions.of(new Peer(process, 3, "0.1"), secret)
        .withConnectTimeout(Duration.ofSeconds(5));
  }

  static TransportOptions options(String process, Protection protection) {
    return TransportOptions.of(new Peer(process, 3, "0.1"), protection)
        .withConnectTimeout(Duration.ofSeconds(5));
  }

  static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(20, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("nothing came");
    }
    return next;
  }

  static <T> List<T> next(BlockingQueue<T> queue, int count) throws InterruptedException {
    List<T> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(next(queue));
    }
    return all;
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
