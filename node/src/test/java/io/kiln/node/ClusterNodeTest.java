package io.kiln.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnConf;
import io.kiln.base.machine.Address;
import io.kiln.base.settings.Settings;
import io.kiln.cluster.protocol.FromClient.RequestMasterState;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClusterNodeTest {
  private static final Address ASKER = new Address("asker", "Client");

  private static TransportOptions options(String name) {
    Settings settings = Settings.of(new KilnConf(false).set("spark.authenticate", "false"));
    return NetworkSetup.options(settings, new Peer(name, 1, "test"), Optional.empty());
  }

  private static final class Opened implements LinkListener {
    final CompletableFuture<Link> link = new CompletableFuture<>();

    @Override
    public void linkOpened(Link opened) {
      link.complete(opened);
    }

    @Override
    public void linkClosed(Link closed, String why) {
      link.completeExceptionally(new AssertionError(why));
    }
  }

  @Test
  void whatIsAskedBeforeTheMachineRunsIsHeardOnceItDoes() throws Exception {
    CompletableFuture<MasterMessage> heard = new CompletableFuture<>();
    Opened opened = new Opened();
    try (ClusterNode node = new ClusterNode(Role.MASTER, options("master"), failure -> {});
        Transport asker = new Transport(options("client"), ClusterProtocol.codec(), opened)) {
      Address self = node.listen("127.0.0.1", "127.0.0.1", ListenPort.any());
      Link link = asker.link(NodeAddress.parse(self.process()));
      ClusterProtocol.introduce(link, ASKER.process());
      link.send(Role.MASTER.machine(), new RequestMasterState(ASKER, "1"));
      assertThatThrownBy(() -> opened.link.get(500, TimeUnit.MILLISECONDS))
          .as("nobody is there yet who could hear it")
          .isInstanceOf(TimeoutException.class);
      node.run(
          MasterMessage.class, (message, _) -> heard.complete(message), Journal.NONE, Map.of());

      assertThat(heard.get()).isEqualTo(new RequestMasterState(ASKER, "1"));
    }
  }
}
