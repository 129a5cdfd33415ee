package io.kiln.network.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RefusedConnectionsTest {
  private final List<String> log = new ArrayList<>();
  private final RefusedConnections refusals = new RefusedConnections(log::add);
  private final EmbeddedChannel clock = new EmbeddedChannel();

  private void refuse(int port, String why) {
    refusals.refused(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port), why, clock.eventLoop());
  }

  private void pass(long seconds) {
    clock.advanceTimeBy(seconds, TimeUnit.SECONDS);
    clock.runScheduledPendingTasks();
  }

  @Test
  void eachIsNamedWithItsAddress() {
    refuse(80, "it said nothing");
    assertThat(log).containsExactly("A connection from 127.0.0.1:80 was closed: it said nothing");
    pass(RefusedConnections.WINDOW_SECONDS);
    assertThat(log).hasSize(1);
  }

  @Test
  void manyForOneReasonAreCountedAndOthersAreStillNamed() {
    for (int i = 1; i <= 1000; i++) {
      refuse(i, "it said nothing");
    }
    refuse(80, "it does not know the secret");
    assertThat(log).hasSize(RefusedConnections.SAME + 1);
    assertThat(log.getLast()).endsWith(":80 was closed: it does not know the secret");
    pass(RefusedConnections.WINDOW_SECONDS - 1);
    assertThat(log).hasSize(RefusedConnections.SAME + 1);
    pass(1);
    assertThat(log.getLast()).startsWith(1000 - RefusedConnections.SAME + " more connections");
    refuse(81, "it said nothing");
    assertThat(log.getLast()).endsWith(":81 was closed: it said nothing");
  }

  @Test
  void manyReasonsCannotFillTheLogEither() {
    for (int i = 1; i <= 1000; i++) {
      refuse(i, "it sent " + i);
    }
    assertThat(log).hasSize(RefusedConnections.ALL);
  }
}
