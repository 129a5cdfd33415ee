package io.kiln.cluster.master;

import static io.kiln.cluster.Descriptions.application;
import static io.kiln.cluster.master.MasterUnderTest.addressOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.kiln.cluster.master.MasterEvent.LinkLost;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.FromClient.RequestDecommissionWorkers;
import io.kiln.cluster.protocol.FromWorker.UnregisterWorker;
import io.kiln.cluster.protocol.FromWorker.WorkerDecommissioning;
import io.kiln.cluster.protocol.MasterInStandby;
import io.kiln.cluster.protocol.ToApplication.ExecutorDecommissioned;
import io.kiln.cluster.protocol.ToApplication.ExecutorUpdated;
import io.kiln.cluster.protocol.ToApplication.WorkerRemoved;
import io.kiln.cluster.protocol.ToWorker.DecommissionWorker;
import io.kiln.cluster.protocol.ToWorker.HeartbeatSeen;
import io.kiln.cluster.protocol.ToWorker.KillExecutor;
import io.kiln.cluster.protocol.ToWorker.LaunchExecutor;
import io.kiln.cluster.protocol.ToWorker.ReconnectWorker;
import io.kiln.cluster.protocol.ToWorker.RegisterWorkerFailed;
import io.kiln.cluster.protocol.ToWorker.RegisteredWorker;
import io.kiln.cluster.protocol.WorkerState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MasterWorkersTest {
  private final MasterUnderTest master = MasterUnderTest.alive();

  private RegisteredWorker registered(String id) {
    return master.sentToWorker(id, RegisteredWorker.class).getLast();
  }

  @Test
  void registersAWorkerAndKeepsIt() {
    master.worker("w", 4, 1000);

    assertThat(registered("w").stamp().epoch()).isEqualTo(1);
    assertThat(registered("w").stamp().session()).isEqualTo(1);
    assertThat(registered("w").stamp().number()).isEqualTo(1);
    assertThat(master.entries()).extracting(MasterEntry::key).containsExactly("worker_w");
    assertThat(master.workerStatus("w").state()).isEqualTo(WorkerState.ALIVE);
  }

  @Test
  void inStandbySaysSo() {
    MasterUnderTest standby = new MasterUnderTest();

    standby.worker("w", 4, 1000);

    assertThat(standby.sentToWorker("w", MasterInStandby.class)).hasSize(1);
    assertThat(standby.turn.persisted).isEmpty();
  }

  @Test
  void aWorkerThatRegistersAgainLivesOnWithWhatItRuns() {
    master.worker("w", 4, 1000);
    master.application(1, application(0, 2, 100));
    LaunchExecutor first = master.launches("w").getFirst();
    LaunchExecutor second = master.launches("w").getLast();

    master.worker(
        "w",
        2,
        4,
        1000,
        List.of(
            MasterUnderTest.report(first, ExecutorState.RUNNING, 0),
            MasterUnderTest.report(second, ExecutorState.RUNNING, 0)),
        List.of());

    assertThat(registered("w").stamp().session()).isEqualTo(2);
    assertThat(master.launches("w")).hasSize(2);
    assertThat(master.workerStatus("w").coresUsed()).isEqualTo(4);
    assertThat(master.sentToApplication(1, ExecutorUpdated.class))
        .extracting(ExecutorUpdated::state)
        .containsOnly(ExecutorState.RUNNING);
  }

  @Test
  void anOlderRegistrationThatComesLateIsDropped() {
    master.worker("w", 5, 4, 1000, List.of(), List.of());
    master.worker("w", 4, 4, 1000, List.of(), List.of());

    assertThat(master.sentToWorker("w", RegisteredWorker.class)).hasSize(1);
  }

  @Test
  void anExecutorThatTheWorkerNeverHeardOfIsStartedAgain() {
    master.worker("w", 4, 1000);
    master.application(1, application(4, 4, 100));
    assertThat(master.launches("w")).hasSize(1);

    master.worker("w", 2, 4, 1000, List.of(), List.of());

    assertThat(master.sentToApplication(1, ExecutorUpdated.class))
        .extracting(ExecutorUpdated::state)
        .containsExactly(ExecutorState.LOST);
    assertThat(master.launches("w")).extracting(LaunchExecutor::executorId).containsExactly(0, 1);
  }

  @Test
  void aWorkerThatHasNothingToGiveIsRefused() {
    master.worker("w", 0, 1000);

    assertThat(master.sentToWorker("w", RegisterWorkerFailed.class).getFirst().reason())
        .contains("at least one core");
    assertThat(master.cluster().workers()).isEmpty();
  }

  @Test
  void anIdTakenByALivingWorkerIsRefused() {
    master.worker("w", 4, 1000);

    master.register("w", 2, 1, "other", 4, 1000, List.of(), List.of());

    assertThat(
            master.turn.sentTo(addressOf("other"), RegisterWorkerFailed.class).getFirst().reason())
        .isEqualTo(
            "worker w was refused: its id is taken by a worker at w:1; start it with another");
    assertThat(master.cluster().workers()).hasSize(1);
  }

  @Test
  void anAddressTakenByALivingWorkerIsRefused() {
    master.worker("w", 4, 1000);

    master.register("w2", 2, 1, "w", 4, 1000, List.of(), List.of());

    assertThat(master.sentToWorker("w", RegisterWorkerFailed.class).getFirst().reason())
        .contains("its address is that of worker w");
  }

  @Test
  void aWorkerThatStartsAgainTakesThePlaceOfTheOneThatLostItsLink() {
    master.worker("w", 4, 1000);
    master.application(1, application(0, 4, 100));
    master.say(new LinkLost(addressOf("w")));

    master.register("w2", 2, 1, "w", 4, 1000, List.of(), List.of());

    assertThat(master.cluster().workers()).extracting("workerId").containsExactly("w2");
    assertThat(master.sentToApplication(1, ExecutorUpdated.class))
        .extracting(ExecutorUpdated::workerLost)
        .containsExactly(true);
    assertThat(master.launches("w")).extracting(LaunchExecutor::executorId).containsExactly(0, 1);
  }

  @Test
  void aSilentWorkerIsLostWithWhatItRuns() {
    master.worker("w", 4, 1000);
    master.application(1, application(0, 2, 100));

    master.passWith(Duration.ofSeconds(59), List.of(), List.of(1L));
    assertThat(master.workerStatus("w").state()).isEqualTo(WorkerState.ALIVE);
    master.passWith(Duration.ofSeconds(8), List.of(), List.of(1L));

    assertThat(master.workerStatus("w").state()).isEqualTo(WorkerState.DEAD);
    assertThat(master.workerStatus("w").coresUsed()).isZero();
    assertThat(master.entries()).noneMatch(entry -> entry.key().startsWith("worker"));
    assertThat(master.sentToApplication(1, ExecutorUpdated.class))
        .hasSize(2)
        .allMatch(ExecutorUpdated::workerLost)
        .extracting(update -> update.message().orElseThrow())
        .containsOnly("its worker w was silent for 60 s");
    assertThat(master.sentToApplication(1, WorkerRemoved.class)).hasSize(1);
  }

  @Test
  void aWorkerThatSpeaksIsNotLost() {
    master.worker("w", 4, 1000);
    master.passWith(Duration.ofSeconds(200), List.of("w"), List.of());

    assertThat(master.workerStatus("w").state()).isEqualTo(WorkerState.ALIVE);
    assertThat(master.sentToWorker("w", HeartbeatSeen.class)).hasSize(200);
  }

  @Test
  void aClosedLinkThatDoesNotComeBackLosesTheWorkerSooner() {
    master.worker("w", 4, 1000);
    master.say(new LinkLost(addressOf("w")));
    master.pass(Duration.ofMillis(4900));
    assertThat(master.workerStatus("w").state()).isEqualTo(WorkerState.ALIVE);
    master.pass(Duration.ofMillis(200));
    assertThat(master.workerStatus("w").state()).isEqualTo(WorkerState.DEAD);
  }

  @Test
  void whileItsLinkIsClosedAWorkerGetsNothing() {
    master.worker("w", 4, 1000);
    master.say(new LinkLost(addressOf("w")));
    master.application(1, application(0, 2, 100));
    assertThat(master.launches("w")).isEmpty();

    master.worker("w", 2, 4, 1000, List.of(), List.of());
    master.pass(Duration.ofSeconds(6));

    assertThat(master.launches("w")).hasSize(2);
    assertThat(master.workerStatus("w").state()).isEqualTo(WorkerState.ALIVE);
  }

  @Test
  void aLostWorkerThatComesBackStopsWhatWasGivenUp() {
    master.worker("w", 4, 1000);
    master.application(1, application(4, 4, 100));
    LaunchExecutor given = master.launches("w").getFirst();
    master.passWith(Duration.ofSeconds(70), List.of(), List.of(1L));
    master.worker("v", 4, 1000);
    assertThat(master.launches("v")).extracting(LaunchExecutor::executorId).containsExactly(1);

    master.worker(
        "w",
        2,
        4,
        1000,
        List.of(MasterUnderTest.report(given, ExecutorState.RUNNING, 0)),
        List.of());

    assertThat(master.sentToWorker("w", KillExecutor.class))
        .extracting(KillExecutor::executorId)
        .containsExactly(0);
    assertThat(master.workerStatus("w").coresUsed()).as("until it has ended").isEqualTo(4);
    master.executor("w", given, ExecutorState.KILLED);
    assertThat(master.workerStatus("w").coresUsed()).isZero();
    assertThat(master.entries()).anyMatch(entry -> entry.key().equals("worker_w"));
  }

  @Test
  void aWorkerThatDiedIsShownForAWhile() {
    master.worker("w", 4, 1000);
    master.pass(Duration.ofMinutes(15));
    assertThat(master.cluster().workers()).hasSize(1);
    master.pass(Duration.ofMinutes(2));
    assertThat(master.cluster().workers()).isEmpty();
  }

  @Test
  void aHeartbeatOfAnUnknownSessionIsToldToRegister() {
    master.worker("w", 4, 1000);
    master.pass(Duration.ofSeconds(70));
    master.heartbeat("w", 1);

    assertThat(master.sentToWorker("w", ReconnectWorker.class))
        .extracting(ReconnectWorker::session)
        .containsExactly(1L);
  }

  @Test
  void aWordThatNeverArrivedHasTheWorkerRegisterAgain() {
    master.worker("w", 4, 1000);
    master.application(1, application(0, 4, 100));
    master.heartbeat("w", 1); // the launch, number 2, may be on its way
    assertThat(master.sentToWorker("w", ReconnectWorker.class)).isEmpty();
    master.heartbeat("w", 1); // no more
    assertThat(master.sentToWorker("w", ReconnectWorker.class)).hasSize(1);
  }

  @Test
  void aDecommissionedWorkerGetsNothingMoreAndKeepsWhatItHas() {
    master.worker("w", 4, 1000);
    String app = master.application(1, application(0, 2, 100));
    master.executor("w", master.launches("w").getFirst(), ExecutorState.RUNNING);
    master.say(new WorkerDecommissioning("w", 1, 1));
    master.executor("w", master.launches("w").getFirst(), ExecutorState.EXITED, 0);

    assertThat(master.launches("w")).hasSize(2);
    assertThat(master.workerStatus("w").state()).isEqualTo(WorkerState.DECOMMISSIONED);
    assertThat(master.workerStatus("w").coresUsed()).isEqualTo(2);
    assertThat(app).isNotEmpty();
  }

  @Test
  void workersAreDecommissionedByHost() {
    master.worker("w", 4, 1000);
    master.worker("v", 4, 1000);
    master.say(
        new RequestDecommissionWorkers(MasterUnderTest.CLIENT, "r", List.of("v", "nowhere")));

    assertThat(master.sentToWorker("v", DecommissionWorker.class)).hasSize(1);
    master.application(1, application(0, 0, 100));
    assertThat(master.launches("v")).isEmpty();
    assertThat(master.launches("w")).hasSize(1);
  }

  @Test
  void aWorkerThatSaysGoodbyeIsLostAtOnce() {
    master.worker("w", 4, 1000);
    master.say(new UnregisterWorker("w", 1, 1));
    assertThat(master.workerStatus("w").state()).isEqualTo(WorkerState.DEAD);
  }

  @Test
  void theApplicationIsToldToGiveUpItsExecutorAndGetsAnotherMeanwhile() {
    master.worker("w", 2, 1000);
    String app = master.application(1, application(2, 2, 100));
    master.executor("w", master.launches("w").getFirst(), ExecutorState.RUNNING);
    master.worker("v", 2, 1000);
    assertThat(master.launches("v")).isEmpty();
    master.say(new WorkerDecommissioning("w", 1, 1));
    master.say(new WorkerDecommissioning("w", 1, 1));

    assertThat(master.sentToApplication(1, ExecutorDecommissioned.class))
        .extracting(ExecutorDecommissioned::executorId, ExecutorDecommissioned::message)
        .containsExactly(tuple(0, "its worker w is about to end"));
    assertThat(master.launches("v")).hasSize(1);

    master.application(1, 2, Optional.of(app), application(2, 2, 100));
    assertThat(master.sentToApplication(1, ExecutorDecommissioned.class)).hasSize(2);
    master.executor("w", master.launches("w").getFirst(), ExecutorState.DECOMMISSIONED, 0);
    assertThat(master.launches("v")).as("has what it may have").hasSize(1);
  }
}
