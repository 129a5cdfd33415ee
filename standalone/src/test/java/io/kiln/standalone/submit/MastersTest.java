package io.kiln.standalone.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnConf;
import io.kiln.base.machine.Machine;
import io.kiln.base.settings.Settings;
import io.kiln.cluster.protocol.FromClient.RequestDriverStatus;
import io.kiln.cluster.protocol.FromClient.RequestSubmitDriver;
import io.kiln.cluster.protocol.MasterIdentity;
import io.kiln.cluster.protocol.MasterMessage;
import io.kiln.cluster.protocol.MasterState;
import io.kiln.cluster.protocol.ToClient.DriverStatusResponse;
import io.kiln.cluster.protocol.ToClient.SubmitDriverResponse;
import io.kiln.launcher.Refusal;
import io.kiln.network.transport.ListenPort;
import io.kiln.network.transport.Peer;
import io.kiln.node.ClusterNode;
import io.kiln.node.RequestedDriver;
import io.kiln.node.Role;
import io.kiln.process.NetworkSetup;
import io.kiln.runtime.Journal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MastersTest {
  private static final Map<String, String> SETTINGS =
      Map.of("spark.authenticate", "false", "spark.rpc.askTimeout", "2s");
  private static final Machine<MasterMessage> SILENT = (_, _) -> {};

  private static Machine<MasterMessage> answering(MasterState state) {
    return (message, turn) -> {
      if (message instanceof RequestDriverStatus asked) {
        turn.send(
            asked.replyTo(),
            new DriverStatusResponse(
                asked.requestId(),
                new MasterIdentity(1, "", state),
                Optional.empty(),
                "an answer"));
      }
    };
  }

  private static final class Master implements AutoCloseable {
    final ClusterNode node;
    final String address;

    Master(Machine<MasterMessage> machine) {
      KilnConf conf = new KilnConf(false);
      SETTINGS.forEach(conf::set);
      node =
          new ClusterNode(
              Role.MASTER,
              NetworkSetup.options(
                  Settings.of(conf), new Peer("master", 1, "test"), Optional.empty()),
              _ -> {});
      address = node.listen("127.0.0.1", "127.0.0.1", ListenPort.any()).process();
      node.run(MasterMessage.class, machine, Journal.NONE, Map.of());
    }

    @Override
    public void close() {
      node.close();
    }
  }

  private static String statusFrom(Map<String, String> settings, Master... masters) {
    String[] addresses = new String[masters.length];
    for (int i = 0; i < masters.length; i++) {
      addresses[i] = masters[i].address;
    }
    try (Masters asked = new Masters("spark://" + String.join(",", addresses), settings)) {
      return asked.ask(master -> master.status("driver-1")).message();
    }
  }

  @Test
  void aSilentMasterKeepsNobodyFromAskingTheNext() {
    try (Master silent = new Master(SILENT);
        Master standby = new Master(answering(MasterState.STANDBY));
        Master leader = new Master(answering(MasterState.ALIVE))) {
      assertThat(statusFrom(SETTINGS, silent, standby, leader)).isEqualTo("an answer");
    }
  }

  /// The masters remember the id, so nothing is started twice.
  @Test
  void aSubmissionIsMadeAgainWithItsIdWhereAMasterGoesAway() {
    BlockingQueue<String> ids = new LinkedBlockingQueue<>();
    AtomicReference<Master> first = new AtomicReference<>();
    RequestedDriver driver =
        new RequestedDriver("file:/app.jar", "App", List.of(), Map.of(), Map.of());
    try (Master going =
            new Master(
                (message, _) -> {
                  if (message instanceof RequestSubmitDriver asked) {
                    ids.add(asked.requestId());
                    Thread.ofVirtual().start(() -> first.get().close());
                  }
                });
        Master leader =
            new Master(
                (message, turn) -> {
                  if (message instanceof RequestSubmitDriver asked) {
                    ids.add(asked.requestId());
                    turn.send(
                        asked.replyTo(),
                        new SubmitDriverResponse(
                            asked.requestId(),
                            new MasterIdentity(1, "", MasterState.ALIVE),
                            true,
                            Optional.of("driver-1"),
                            "taken"));
                  }
                });
        Masters asked = new Masters("spark://" + going.address + "," + leader.address, SETTINGS)) {
      first.set(going);
      assertThat(asked.ask(master -> master.submit(driver, "my-request")).message())
          .isEqualTo("taken");
      assertThat(ids).containsExactly("my-request", "my-request");
    }
  }

  @Test
  void ifNoneAnswersItSaysWhoWasSilent() {
    Map<String, String> impatient = new HashMap<>(SETTINGS);
    impatient.put("spark.kiln.submit.masterWait", "0s");
    try (Master silent = new Master(SILENT);
        Master other = new Master(SILENT)) {
      assertThatThrownBy(() -> statusFrom(impatient, silent, other))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining(silent.address + ": it has not answered within 2 s")
          .hasMessageContaining(other.address);
    }
  }
}
