package io.kiln.cluster.master;

import static io.kiln.cluster.Descriptions.application;
import static io.kiln.cluster.master.MasterUnderTest.CLIENT;
import static io.kiln.cluster.master.MasterUnderTest.addressOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.kiln.cluster.Descriptions;
import io.kiln.cluster.master.MasterEvent.Deposed;
import io.kiln.cluster.master.MasterEvent.Elected;
import io.kiln.cluster.protocol.ApplicationState;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.FromClient.RequestKillDriver;
import io.kiln.cluster.protocol.FromWorker.UnregisterWorker;
import io.kiln.cluster.protocol.FromWorker.WorkerHeartbeat;
import io.kiln.cluster.protocol.MasterChanged;
import io.kiln.cluster.protocol.MasterInStandby;
import io.kiln.cluster.protocol.MasterState;
import io.kiln.cluster.protocol.ToApplication.ApplicationRemoved;
import io.kiln.cluster.protocol.ToApplication.ExecutorAdded;
import io.kiln.cluster.protocol.ToWorker.ApplicationFinished;
import io.kiln.cluster.protocol.ToWorker.KillDriver;
import io.kiln.cluster.protocol.ToWorker.LaunchDriver;
import io.kiln.cluster.protocol.ToWorker.LaunchExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MasterRecoveryTest {
  private final MasterUnderTest master = MasterUnderTest.alive();

  private void failOver() {
    master.replace();
    master.elect();
  }

  private MasterState state() {
    return master.state().master().state();
  }

  @Test
  void aFirstMasterIsAliveAtOnce() {
    assertThat(state()).isEqualTo(MasterState.ALIVE);
  }

  @Test
  void workersAndApplicationsAreToldOfTheNewMaster() {
    master.worker("w", 4, 1000);
    master.application(1, application(4, 4, 100));
    failOver();

    assertThat(state()).isEqualTo(MasterState.RECOVERING);
    assertThat(master.sentToWorker("w", MasterChanged.class))
        .extracting(MasterChanged::epoch)
        .containsExactly(2L);
    assertThat(master.sentToApplication(1, MasterChanged.class)).hasSize(1);
  }

  @Test
  void whatRunsGoesOnAndRecoveryIsOverWhenAllHaveCome() {
    master.worker("w", 8, 1000);
    String id = master.application(1, application(4, 2, 100));
    String driver = master.submit(1, 100, false);
    List<LaunchExecutor> launches = List.copyOf(master.launches("w"));
    LaunchDriver launchDriver = master.lastDriver("w");
    failOver();

    master.application(1, 2, Optional.of(id), application(4, 2, 100));
    assertThat(master.registered(1).complete()).isFalse();
    assertThat(state()).isEqualTo(MasterState.RECOVERING);
    master.worker(
        "w",
        2,
        8,
        1000,
        launches.stream().map(l -> MasterUnderTest.report(l, ExecutorState.RUNNING, 0)).toList(),
        List.of(MasterUnderTest.report(launchDriver, DriverState.RUNNING)));

    assertThat(state()).isEqualTo(MasterState.ALIVE);
    assertThat(master.registered(1).complete()).isTrue();
    assertThat(master.registered(1).executors()).extracting("executorId").containsExactly(0, 1);
    assertThat(master.status(driver).state()).isEqualTo(DriverState.RUNNING);
    assertThat(master.launches("w")).hasSize(2);
    assertThat(master.sentToWorker("w", LaunchDriver.class)).hasSize(1);
    assertThat(master.workerStatus("w").coresUsed()).isEqualTo(5);
  }

  @Test
  void recoveryIsOverAfterATimeEvenIfSomeDontCome() {
    master.worker("w", 8, 1000);
    master.worker("gone", 8, 1000);
    String id = master.application(1, application(4, 4, 100));
    master.application(2, application(4, 4, 100));
    failOver();
    master.application(1, 2, Optional.of(id), application(4, 4, 100));
    master.worker("w", 2, 8, 1000, List.of(), List.of());

    master.passWith(Duration.ofSeconds(61), List.of("w"), List.of(1L));

    assertThat(state()).isEqualTo(MasterState.ALIVE);
    assertThat(master.cluster().workers()).extracting("workerId").containsExactly("w");
    assertThat(master.sentToApplication(2, ApplicationRemoved.class)).isEmpty(); // it has no link
    assertThat(master.cluster().completedApplications())
        .extracting("message")
        .containsExactly("its driver did not come to the master that took over");
  }

  @Test
  void aRunningDriverOfAWorkerThatDoesNotComeIsLost() {
    master.worker("gone", 8, 1000);
    String plain = master.submit(1, 100, false);
    String supervised = master.submit(1, 100, true);
    failOver();
    assertThat(master.status(plain).state()).isEqualTo(DriverState.UNKNOWN);
    master.pass(Duration.ofSeconds(61));

    assertThat(master.status(plain).state()).isEqualTo(DriverState.ERROR);
    assertThat(master.status(supervised).state()).isEqualTo(DriverState.RELAUNCHING);
  }

  @Test
  void whoDoesNotComeIsToldAgainOfTheNewMaster() {
    master.worker("w", 4, 1000);
    master.application(1, application(4, 4, 100));
    failOver();
    master.turn.forgetSent(); // as if the word was lost
    master.pass(Duration.ofSeconds(20));

    assertThat(master.sentToWorker("w", MasterChanged.class)).isNotEmpty();
    assertThat(master.sentToApplication(1, MasterChanged.class)).isNotEmpty();
  }

  private String applicationOf(String driver) {
    return master.application(1, Descriptions.applicationOf(driver));
  }

  @Test
  void aDriverWhoseApplicationIsHereLivesThoughItsWorkerDoesNotCome() {
    master.worker("w", 8, 1000);
    String driver = master.submit(1, 100, true);
    LaunchDriver launch = master.lastDriver("w");
    String id = applicationOf(driver);
    failOver();
    master.application(1, 2, Optional.of(id), Descriptions.applicationOf(driver));
    master.worker("other", 8, 1000);
    master.passWith(Duration.ofSeconds(200), List.of("other"), List.of(1L));

    assertThat(state()).isEqualTo(MasterState.ALIVE);
    assertThat(master.status(driver).state()).isEqualTo(DriverState.UNKNOWN);
    assertThat(master.sentToWorker("other", LaunchDriver.class)).isEmpty();

    master.worker(
        "w", 2, 8, 1000, List.of(), List.of(MasterUnderTest.report(launch, DriverState.RUNNING)));
    assertThat(master.status(driver).state()).isEqualTo(DriverState.RUNNING);
    assertThat(master.sentToWorker("w", KillDriver.class)).isEmpty();
    master.driver("w", launch, DriverState.FINISHED);
    assertThat(master.status(driver).state()).isEqualTo(DriverState.FINISHED);
    assertThat(master.cluster().completedApplications())
        .extracting("state")
        .containsExactly(ApplicationState.FINISHED);
  }

  @Test
  void aDriverWhoseWorkerAndApplicationAreGoneIsLost() {
    master.worker("w", 8, 1000);
    String driver = master.submit(1, 100, false);
    String id = applicationOf(driver);
    failOver();
    master.application(1, 2, Optional.of(id), Descriptions.applicationOf(driver));
    master.passWith(Duration.ofSeconds(61), List.of(), List.of(1L));
    assertThat(master.status(driver).state()).isEqualTo(DriverState.UNKNOWN);
    master.say(new MasterEvent.LinkLost(MasterUnderTest.addressOf(1)));
    master.pass(Duration.ofSeconds(40));

    assertThat(master.status(driver).state()).isEqualTo(DriverState.ERROR);
    assertThat(master.status(driver).message()).contains("did not come to the master");
  }

  @Test
  void anApplicationWhoseDriverHasFinishedHasFinished() {
    master.worker("w", 8, 1000);
    String driver = master.submit(1, 100, false);
    LaunchDriver launch = master.lastDriver("w");
    applicationOf(driver);
    failOver();
    master.worker(
        "w", 2, 8, 1000, List.of(), List.of(MasterUnderTest.report(launch, DriverState.FINISHED)));

    assertThat(master.cluster().completedApplications())
        .extracting("state", "message")
        .containsExactly(tuple(ApplicationState.FINISHED, "its driver finished"));
    assertThat(state()).isEqualTo(MasterState.ALIVE);
  }

  /// Its word of that comes by another connection than that of the worker.
  @Test
  void anApplicationThatHasNotSaidThatItIsOverAtTheEndOfItsDriverHasFinished() {
    master.worker("w", 8, 1000);
    String driver = master.submit(1, 100, false);
    LaunchDriver launch = master.lastDriver("w");
    applicationOf(driver);
    master.driver("w", launch, DriverState.FINISHED);

    assertThat(master.cluster().completedApplications())
        .extracting("state", "message")
        .containsExactly(tuple(ApplicationState.FINISHED, "its driver finished"));
  }

  @Test
  void aDriverIsStartedElsewhereAtOnceWhereItsWorkerWasStopped() {
    master.worker("w", 8, 1000);
    String driver = master.submit(1, 100, true);
    applicationOf(driver);
    master.worker("other", 8, 1000);
    master.say(new UnregisterWorker("w", 1, 1));

    assertThat(master.sentToWorker("other", LaunchDriver.class)).hasSize(1);
  }

  @Test
  void aDriverThatItsWorkerNeverHeardOfIsLaunchedByTheNewMaster() {
    master.worker("w", 8, 1000);
    String plain = master.submit(1, 100, false);
    failOver();
    master.worker("w", 2, 8, 1000, List.of(), List.of());

    assertThat(master.status(plain).state()).isEqualTo(DriverState.RUNNING);
    assertThat(master.lastDriver("w").launch()).isEqualTo(2);
  }

  @Test
  void aWaitingDriverIsNotLost() {
    String id = master.submit("r", io.kiln.cluster.Descriptions.driver(1, 100, false));
    failOver();
    assertThat(master.status(id).state()).isEqualTo(DriverState.SUBMITTED);
    assertThat(master.submit("r", io.kiln.cluster.Descriptions.driver(1, 100, false)))
        .as("asked again")
        .isEqualTo(id);
    assertThat(master.submit(1, 100, false)).endsWith("-0001");
  }

  @Test
  void whatIsOverIsStillKnown() {
    master.worker("w", 8, 1000);
    String id = master.submit(1, 100, false);
    master.driver("w", master.lastDriver("w"), DriverState.FINISHED);
    failOver();
    assertThat(master.status(id).state()).isEqualTo(DriverState.FINISHED);
  }

  @Test
  void aKillIsNotForgotten() {
    master.worker("w", 8, 1000);
    String id = master.submit(1, 100, true);
    LaunchDriver launch = master.lastDriver("w");
    master.say(new RequestKillDriver(CLIENT, "kill", id));
    failOver();
    master.worker(
        "w", 2, 8, 1000, List.of(), List.of(MasterUnderTest.report(launch, DriverState.RUNNING)));
    assertThat(master.sentToWorker("w", KillDriver.class))
        .extracting(said -> said.stamp().epoch())
        .containsExactly(1L, 2L);
  }

  @Test
  void noExecutorIdIsGivenTwice() {
    master.worker("w", 4, 1000);
    String id = master.application(1, application(4, 1, 100));
    failOver();
    master.worker("w", 2, 4, 1000, List.of(), List.of());
    master.application(1, 2, Optional.of(id), application(4, 1, 100));

    assertThat(master.launches("w")).extracting(LaunchExecutor::executorId).doesNotHaveDuplicates();
    assertThat(master.launches("w")).hasSize(8);
  }

  @Test
  void anExecutorThatTheApplicationHearsOfLaterIsAdded() {
    master.worker("w", 4, 1000);
    String id = master.application(1, application(4, 4, 100));
    LaunchExecutor launch = master.launches("w").getFirst();
    failOver();
    master.application(1, 2, Optional.of(id), application(4, 4, 100));
    master.turn.sent.clear();
    master.worker(
        "w",
        2,
        4,
        1000,
        List.of(MasterUnderTest.report(launch, ExecutorState.RUNNING, 0)),
        List.of());
    assertThat(master.sentToApplication(1, ExecutorAdded.class)).hasSize(1);
  }

  @Test
  void executorsOfAnApplicationThatIsOverOrUnknownAreStopped() {
    master.worker("w", 4, 1000);
    master.application(1, application(4, 4, 100));
    LaunchExecutor launch = master.launches("w").getFirst();
    master.turn.persisted.clear(); // a master without memory
    failOver();
    master.worker(
        "w",
        2,
        4,
        1000,
        List.of(MasterUnderTest.report(launch, ExecutorState.RUNNING, 0)),
        List.of());
    assertThat(master.sentToWorker("w", ApplicationFinished.class))
        .extracting(ApplicationFinished::applicationId)
        .containsExactly(launch.applicationId());
  }

  @Test
  void aNewWorkerMayComeWhileAMasterRecovers() {
    master.worker("w", 4, 1000);
    failOver();
    master.worker("new", 4, 1000);
    assertThat(state()).isEqualTo(MasterState.RECOVERING);
    master.worker("w", 2, 4, 1000, List.of(), List.of());
    assertThat(state()).isEqualTo(MasterState.ALIVE);
  }

  @Test
  void aDeposedMasterForgetsEverythingAndStandsBy() {
    master.worker("w", 4, 1000);
    master.say(new Deposed(1));
    assertThat(state()).isEqualTo(MasterState.STANDBY);
    master.heartbeat("w", 1);
    assertThat(master.sentToWorker("w", MasterInStandby.class)).hasSize(1);
    master.pass(Duration.ofSeconds(1000)); // its timers do nothing
    master.elect();
    assertThat(state()).isEqualTo(MasterState.RECOVERING);
  }

  @Test
  void aMasterThatHearsOfALaterOneStandsBy() {
    master.worker("w", 4, 1000);
    master.say(new WorkerHeartbeat("w", 1, 1, 9, addressOf("w"), 1, ""));
    assertThat(state()).isEqualTo(MasterState.STANDBY);
  }

  @Test
  void timesAreThoseOfTheWallAlsoAfterTheProcessHasStoodStill() {
    Instant later = MasterUnderTest.START.plus(Duration.ofHours(3));
    master.say(new MasterEvent.TimeTold(later));
    String driver = master.submit(1, 100, false);

    assertThat(driver).startsWith("driver-20261128150000-");
    assertThat(master.status(driver).submitted()).isEqualTo(later);
  }

  @Test
  void anOldElectionIsAMistake() {
    assertThatThrownBy(() -> master.say(new Elected(1, List.of(), MasterUnderTest.START)))
        .hasMessage("epoch 1 is not greater than 1");
  }

  @Test
  void anApplicationThatEndedWhileItWasAwayIsToldSo() {
    String id = master.application(1, application(4, 4, 100));
    failOver();
    master.pass(Duration.ofSeconds(61));
    master.application(1, 2, Optional.of(id), application(4, 4, 100));
    assertThat(master.sentToApplication(1, ApplicationRemoved.class).getLast().state())
        .isEqualTo(ApplicationState.FAILED);
  }
}
