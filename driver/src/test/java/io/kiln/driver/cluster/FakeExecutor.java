package io.kiln.driver.cluster;

import io.kiln.api.KilnConf;
import io.kiln.api.Version;
import io.kiln.base.machine.Message;
import io.kiln.base.settings.Settings;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.LinkListener;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Peer;
import io.kiln.network.transport.Transport;
import io.kiln.process.NetworkSetup;
import io.kiln.protocol.ContentRequest;
import io.kiln.protocol.DriverQuestion;
import io.kiln.protocol.DriverQuestion.RegisterExecutor;
import io.kiln.protocol.ExecutorProtocol;
import io.kiln.storage.remote.StorageProtocol;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/// What the driver sees of an executor: a process at the other end of a real connection.
final class FakeExecutor implements AutoCloseable {
  static final long INCARNATION = 7;
  static final NodeAddress DATA = new NodeAddress("localhost", 1);

  /// What the driver has sent, in order.
  final BlockingQueue<Message> commands = new LinkedBlockingQueue<>();

  final Transport transport;
  private final NodeAddress driver;
  private final Link link;

  FakeExecutor(String id, NodeAddress driver) {
    this.driver = driver;
    this.transport = transport(ExecutorProtocol.processOf(id), INCARNATION);
    transport.addReceiver(ExecutorProtocol.EXECUTOR, (_, message) -> commands.add(message));
    this.link = transport.link(driver);
  }

  /// One that believes everybody.
  static Transport transport(String process, long incarnation) {
    return new Transport(
        NetworkSetup.options(
            Settings.of(settings()),
            new Peer(process, incarnation, Version.CURRENT),
            Optional.empty()),
        ExecutorProtocol.codec(StorageProtocol::register),
        LinkListener.NONE);
  }

  static KilnConf settings() {
    return new KilnConf(false).set("spark.authenticate", "false");
  }

  void tell(Message report) {
    link.send(ExecutorProtocol.SCHEDULER, report);
  }

  CompletableFuture<Record> ask(DriverQuestion question) {
    return link.ask(ExecutorProtocol.DRIVER, (Record) question, Duration.ofMinutes(1));
  }

  CompletableFuture<Record> register(String id, int slots) {
    return ask(new RegisterExecutor(id, "host", slots, DATA));
  }

  byte[] fetch(ContentRequest request) throws Exception {
    try (InputStream content = transport.open(driver, (Record) request)) {
      return content.readAllBytes();
    }
  }

  @Override
  public void close() {
    transport.close();
  }
}
