package io.kiln.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnConf;
import io.kiln.base.machine.Address;
import io.kiln.base.settings.Settings;
import io.kiln.cluster.protocol.FromClient.RequestMasterState;
import io.kiln.cluster.protocol.FromWorker.UnregisterWorker;
import io.kiln.cluster.protocol.MasterMessage;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.LinkListener;
import io.kiln.network.transport.ListenPort;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Peer;
import io.kiln.network.transport.Transport;
import io.kiln.network.transport.TransportOptions;
import io.kiln.process.NetworkSetup;
import io.kiln.runtime.Journal;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClusterNodeTest {
  private static final Address ASKER = new Address("asker", "Client");

  private static TransportOptions options(String name) {
    Settings settings = Settings.of(new KilnConf(false).set("spark.authenticate", "false"));
    return NetworkSetup.options(settings, new Peer(name, 1, "test"), Optional.empty());
  }

  @Test
  void whatIsAskedBeforeTheMachineRunsIsHeardOnceItDoes() throws Exception {
    CompletableFuture<MasterMessage> heard = new CompletableFuture<>();
    CompletableFuture<MasterMessage> heardByOther = new CompletableFuture<>();
    try (ClusterNode node = new ClusterNode(Role.MASTER, options("master"), failure -> {});
        ClusterNode other = new ClusterNode(Role.MASTER, options("master"), failure -> {});
        Transport asker =
            new Transport(options("client"), ClusterProtocol.codec(), LinkListener.NONE)) {
      Address self = node.listen("127.0.0.1", "127.0.0.1", ListenPort.any());
      Link link = asker.link(NodeAddress.parse(self.process()));
      ClusterProtocol.introduce(link, ASKER.process());
      link.send(Role.MASTER.machine(), new RequestMasterState(ASKER, "1"));
      Address running = other.listen("127.0.0.1", "127.0.0.1", ListenPort.any());
      other.run(
          MasterMessage.class,
          (message, _) -> heardByOther.complete(message),
          Journal.NONE,
          Map.of());
      Link second = asker.link(NodeAddress.parse(running.process()));
      ClusterProtocol.introduce(second, ASKER.process());
      second.send(Role.MASTER.machine(), new RequestMasterState(ASKER, "2"));
      assertThat(heardByOther.get()).as("which takes as long").isNotNull();
      assertThat(link.peer()).as("nobody is there yet who could hear it").isEmpty();
      node.run(
          MasterMessage.class, (message, _) -> heard.complete(message), Journal.NONE, Map.of());

      assertThat(heard.get()).isEqualTo(new RequestMasterState(ASKER, "1"));
    }
  }

  /// What somebody says who is not in that role cuts the link off, and the machine hears nothing.
  @Test
  void whoSaysWhatIsNotForItsRoleIsCutOffUnheard() throws Exception {
    BlockingQueue<MasterMessage> heard = new LinkedBlockingQueue<>();
    CompletableFuture<String> closed = new CompletableFuture<>();
    LinkListener listener =
        new LinkListener() {
          @Override
          public void linkClosed(Link link, String why) {
            closed.complete(why);
          }
        };
    try (ClusterNode node = new ClusterNode(Role.MASTER, options("master"), failure -> {});
        Transport asker = new Transport(options("client"), ClusterProtocol.codec(), listener);
        Transport other =
            new Transport(options("client"), ClusterProtocol.codec(), LinkListener.NONE)) {
      Address self = node.listen("127.0.0.1", "127.0.0.1", ListenPort.any());
      node.run(MasterMessage.class, (message, _) -> heard.add(message), Journal.NONE, Map.of());
      Link link = asker.link(NodeAddress.parse(self.process()));
      ClusterProtocol.introduce(link, ASKER.process());
      link.send(Role.MASTER.machine(), new UnregisterWorker("w", 1, 1));
      assertThat(closed.get()).contains("closed");

      Link allowed = other.link(NodeAddress.parse(self.process()));
      Address process = new Address("other", "Client");
      ClusterProtocol.introduce(allowed, process.process());
      allowed.send(Role.MASTER.machine(), new RequestMasterState(process, "1"));
      assertThat(heard.take()).isEqualTo(new RequestMasterState(process, "1"));
    }
  }
}
