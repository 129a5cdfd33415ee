package io.kiln.bench.transport;

import io.kiln.base.machine.Message;
import io.kiln.network.codec.RecordCodec;
import io.kiln.network.security.Credentials;
import io.kiln.network.security.Protection;
import io.kiln.network.transport.Content;
import io.kiln.network.transport.ContentStream;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.LinkListener;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Peer;
import io.kiln.network.transport.Transport;
import io.kiln.network.transport.TransportOptions;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Kiln's transport: a link's messages, and a stream from a file.
final class KilnCarrier implements Carrier {
  private static final String ECHO = "echo";
  private static final byte[] SECRET = "a secret".getBytes(StandardCharsets.UTF_8);
  private static final int READ_BYTES = 256 << 10;

  /// As small as most of an application's.
  record Small(byte[] payload) implements Message {}

  record Fetch() {}

  private static final RecordCodec CODEC =
      RecordCodec.builder(MethodHandles.lookup()).add(1, Small.class).add(2, Fetch.class).build();

  private final Transport server;
  private final Transport client;
  private final NodeAddress address;
  private final Link link;
  private final Small message = new Small(new byte[TransportBench.PAYLOAD_BYTES]);
  private final byte[] target = new byte[READ_BYTES];
  private volatile Rally rally;

  KilnCarrier(Path file, boolean encrypted) throws IOException {
    Protection protection =
        encrypted ? new Protection.Encrypted(Credentials.ofAll(SECRET)) : new Protection.None();
    server = transport("server", protection);
    client = transport("client", protection);
    long length = Files.size(file);
    server.addReceiver(ECHO, (from, received) -> from.send(ECHO, received));
    server.serve((_, _) -> Content.OfFiles.of(file, 0, length));
    client.addReceiver(ECHO, (_, _) -> back());
    address = server.listen("127.0.0.1", "127.0.0.1", 0);
    link = client.link(address);
  }

  private static Transport transport(String process, Protection protection) {
    return new Transport(
        TransportOptions.of(new Peer(process, 0, "bench"), protection), CODEC, LinkListener.NONE);
  }

  @Override
  public String engine() {
    return "kiln";
  }

  @Override
  public void exchange(int inFlight, int messages) throws InterruptedException {
    Rally newRally = new Rally(messages);
    rally = newRally;
    for (int i = 0; i < inFlight && newRally.next(); i++) {
      link.send(ECHO, message);
    }
    newRally.await();
  }

  private void back() {
    Rally running = rally;
    if (running.next()) {
      link.send(ECHO, message);
    }
    running.back();
  }

  @Override
  public long stream() throws IOException, InterruptedException {
    long bytes = 0;
    try (ContentStream stream = client.open(address, new Fetch())) {
      for (int read = stream.read(target); read >= 0; read = stream.read(target)) {
        bytes += read;
      }
    }
    return bytes;
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
