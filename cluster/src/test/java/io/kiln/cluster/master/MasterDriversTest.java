package io.kiln.cluster.master;

import static io.kiln.cluster.Descriptions.application;
import static io.kiln.cluster.Descriptions.applicationOf;
import static io.kiln.cluster.Descriptions.driver;
import static io.kiln.cluster.master.MasterUnderTest.CLIENT;
import static io.kiln.cluster.master.MasterUnderTest.addressOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.cluster.master.MasterEvent.LinkLost;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.Command;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.FromClient.RequestClearCompleted;
import io.kiln.cluster.protocol.FromClient.RequestDriverStatus;
import io.kiln.cluster.protocol.FromClient.RequestKillAllDrivers;
import io.kiln.cluster.protocol.FromClient.RequestKillDriver;
import io.kiln.cluster.protocol.FromClient.RequestSubmitDriver;
import io.kiln.cluster.protocol.MasterState;
import io.kiln.cluster.protocol.ToApplication.ApplicationRemoved;
import io.kiln.cluster.protocol.ToApplication.RegisterApplicationFailed;
import io.kiln.cluster.protocol.ToClient.ClearCompletedResponse;
import io.kiln.cluster.protocol.ToClient.DriverStatusResponse;
import io.kiln.cluster.protocol.ToClient.KillDriverResponse;
import io.kiln.cluster.protocol.ToClient.SubmitDriverResponse;
import io.kiln.cluster.protocol.ToWorker.DriverStateKnown;
import io.kiln.cluster.protocol.ToWorker.KillDriver;
import io.kiln.cluster.protocol.ToWorker.LaunchDriver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MasterDriversTest {
  private final MasterUnderTest master = MasterUnderTest.alive();

  private List<LaunchDriver> launched(String worker) {
    return master.sentToWorker(worker, LaunchDriver.class);
  }

  private KillDriverResponse kill(String driverId) {
    master.say(new RequestKillDriver(CLIENT, "kill", driverId));
    return master.turn.sentTo(CLIENT, KillDriverResponse.class).getLast();
  }

  private void loseWorker(String id) {
    master.say(new LinkLost(addressOf(id)));
    master.pass(Duration.ofSeconds(6));
  }

  @Test
  void aDriverIsKeptBeforeItIsAccepted() {
    String id = master.submit(1, 100, false);

    assertThat(id).isEqualTo("driver-20261128120000-0000");
    assertThat(master.entries()).extracting(MasterEntry::key).contains("driver_" + id);
    assertThat(master.turn.sentTo(CLIENT, SubmitDriverResponse.class).getLast().message())
        .isEqualTo("Driver successfully submitted as " + id);
  }

  @Test
  void theSameRequestAgainIsTheSameDriver() {
    String id = master.submit("r", driver(1, 100, false));
    assertThat(master.submit("r", driver(1, 100, false))).isEqualTo(id);
    assertThat(master.submit("s", driver(1, 100, false))).isNotEqualTo(id);
    assertThat(master.cluster().activeDrivers()).hasSize(2);
  }

  @Test
  void driversGoBeforeExecutors() {
    master.application(1, application(0, 1, 100));
    master.submit(1, 100, false);
    master.worker("a", 1, 1000);

    assertThat(launched("a")).hasSize(1);
    assertThat(master.launches("a")).isEmpty();
  }

  @Test
  void driversGoRoundRobin() {
    List.of("a", "b", "c").forEach(id -> master.worker(id, 8, 1000));
    for (int i = 0; i < 5; i++) {
      master.submit(1, 100, false);
    }
    assertThat(launched("a")).hasSize(2);
    assertThat(launched("b")).hasSize(2);
    assertThat(launched("c")).hasSize(1);
  }

  @Test
  void driversArePackedWhereItIsToldTo() {
    MasterUnderTest packing = MasterUnderTest.alive("spark.deploy.spreadOutDrivers", "false");
    packing.worker("a", 2, 1000);
    packing.worker("b", 2, 1000);
    for (int i = 0; i < 3; i++) {
      packing.submit(1, 100, false);
    }
    assertThat(packing.sentToWorker("a", LaunchDriver.class)).hasSize(2);
    assertThat(packing.sentToWorker("b", LaunchDriver.class)).hasSize(1);
  }

  @Test
  void aDriverThatDoesNotFitDoesNotHoldUpTheNext() {
    String large = master.submit(8, 100, false);
    String small = master.submit(1, 100, false);
    master.worker("a", 2, 1000);

    assertThat(master.status(small).state()).isEqualTo(DriverState.RUNNING);
    assertThat(master.status(large).state()).isEqualTo(DriverState.SUBMITTED);
    assertThat(master.status(large).message())
        .isEqualTo(
            "it needs 8 cores and 100 MiB, but of 1 workers none has both: the most are 2 cores"
                + " and 1000 MiB; lower spark.driver.cores and spark.driver.memory, or start larger"
                + " workers");
  }

  @Test
  void theLaunchIsKept() {
    String id = master.submit(1, 100, false);
    master.worker("a", 2, 1000);

    MasterEntry.DriverEntry entry =
        (MasterEntry.DriverEntry)
            master.entries().stream().filter(e -> e.key().equals("driver_" + id)).findAny().get();
    assertThat(entry.state()).isEqualTo(DriverState.RUNNING);
    assertThat(entry.launches()).isEqualTo(1);
    assertThat(entry.workerId()).contains("a");
  }

  private List<String> refusals(long incarnation) {
    return master.sentToApplication(incarnation, RegisterApplicationFailed.class).stream()
        .map(RegisterApplicationFailed::reason)
        .toList();
  }

  /// Who has stolen the key of a driver.
  @Test
  void inTheNameOfADriverNobodyDoesAnythingAfterItsEnd() {
    master.worker("a", 8, 1000);
    String id = master.submit(1, 100, false);
    LaunchDriver launch = master.lastDriver("a");
    master.driver("a", launch, DriverState.RUNNING);
    master.application(1, applicationOf(id));
    assertThat(master.launches("a")).isNotEmpty();

    master.driver("a", launch, DriverState.FAILED);

    assertThat(master.sentToApplication(1, ApplicationRemoved.class).getLast().message())
        .isEqualTo("its driver ended: FAILED");
    master.application(2, 1, Optional.empty(), applicationOf(id));
    assertThat(refusals(2)).containsExactly("driver " + id + ", in whose name it asks, has ended");
    master.application(3, 1, Optional.empty(), applicationOf("driver-of-nobody"));
    assertThat(refusals(3).getFirst()).contains("driver-of-nobody", "is not known to the master");
    assertThat(master.cluster().activeApplications()).isEmpty();
  }

  @Test
  void itsEndIsKeptAndAcknowledged() {
    master.worker("a", 2, 1000);
    String id = master.submit(1, 100, false);
    LaunchDriver launch = master.lastDriver("a");
    master.driver("a", launch, DriverState.RUNNING);
    master.driver("a", launch, DriverState.FAILED);
    master.driver("a", launch, DriverState.FINISHED); // too late: a state is final

    assertThat(master.status(id).state()).isEqualTo(DriverState.FAILED);
    assertThat(master.status(id).exitCode()).contains(3);
    assertThat(master.status(id).workerHostPort()).contains("a:1");
    assertThat(master.sentToWorker("a", DriverStateKnown.class)).hasSize(3);
    assertThat(master.workerStatus("a").coresUsed()).isZero();
  }

  @Test
  void aWaitingDriverIsKilledAtOnce() {
    String id = master.submit(1, 100, false);
    assertThat(kill(id).success()).isTrue();
    assertThat(master.status(id).state()).isEqualTo(DriverState.KILLED);
    master.worker("a", 2, 1000);
    assertThat(launched("a")).isEmpty();
  }

  @Test
  void aRunningDriverIsKilledByItsWorker() {
    master.worker("a", 2, 1000);
    String id = master.submit(1, 100, false);
    assertThat(kill(id).success()).isTrue();
    assertThat(master.sentToWorker("a", KillDriver.class)).hasSize(1);
    assertThat(master.status(id).state()).isEqualTo(DriverState.RUNNING);
    master.driver("a", master.lastDriver("a"), DriverState.KILLED);
    assertThat(master.status(id).state()).isEqualTo(DriverState.KILLED);
    assertThat(kill(id).success()).isFalse();
    assertThat(kill(id).message()).isEqualTo("driver " + id + " is already KILLED");
    assertThat(kill("nobody").message()).isEqualTo("driver nobody is unknown");
  }

  @Test
  void allAreKilledAndForgotten() {
    master.submit(1, 100, false);
    master.submit(1, 100, false);
    master.say(new RequestKillAllDrivers(CLIENT, "all"));
    assertThat(master.cluster().completedDrivers()).hasSize(2);
    master.say(new RequestClearCompleted(CLIENT, "clear"));
    assertThat(master.turn.sentTo(CLIENT, ClearCompletedResponse.class).getFirst().message())
        .isEqualTo("2 that were over are forgotten");
    assertThat(master.cluster().completedDrivers()).isEmpty();
    assertThat(master.entries()).extracting(MasterEntry::key).containsExactly("numbers");
  }

  @Test
  void aDriverOfALostWorkerIsAnErrorUnlessItIsSupervised() {
    master.worker("a", 4, 1000);
    String plain = master.submit(1, 100, false);
    String supervised = master.submit(1, 100, true);
    loseWorker("a");

    assertThat(master.status(plain).state()).isEqualTo(DriverState.ERROR);
    assertThat(master.status(plain).message())
        .isEqualTo(
            "its worker a lost its connection for 5 s; submit with --supervise to have a driver"
                + " started again elsewhere");
    assertThat(master.status(supervised).state()).isEqualTo(DriverState.RELAUNCHING);
    master.worker("b", 4, 1000);
    assertThat(launched("b")).extracting(LaunchDriver::driverId).containsExactly(supervised);
    assertThat(launched("b")).extracting(LaunchDriver::launch).containsExactly(2);
  }

  @Test
  void theOldRunOfARelaunchedDriverIsKilledAndDoesNotCount() {
    master.worker("a", 4, 1000);
    String id = master.submit(1, 100, true);
    LaunchDriver old = master.lastDriver("a");
    loseWorker("a");
    master.worker("b", 4, 1000);

    master.worker(
        "a", 2, 4, 1000, List.of(), List.of(MasterUnderTest.report(old, DriverState.RUNNING)));

    assertThat(master.sentToWorker("a", KillDriver.class))
        .extracting(KillDriver::launch)
        .containsExactly(1);
    assertThat(master.workerStatus("a").coresUsed()).isEqualTo(1);
    master.driver("a", old, DriverState.KILLED);
    assertThat(master.status(id).state()).isEqualTo(DriverState.RUNNING);
    assertThat(master.workerStatus("a").coresUsed()).isZero();
  }

  @Test
  void aKilledDriverOfALostWorkerIsKilled() {
    master.worker("a", 4, 1000);
    String id = master.submit(1, 100, true);
    kill(id);
    loseWorker("a");
    assertThat(master.status(id).state()).isEqualTo(DriverState.KILLED);
  }

  @Test
  void aDriverThatTheWorkerNeverHeardOfIsLaunchedAgain() {
    master.worker("a", 4, 1000);
    String id = master.submit(1, 100, false);
    master.worker("a", 2, 4, 1000, List.of(), List.of());

    assertThat(launched("a")).extracting(LaunchDriver::launch).containsExactly(1, 2);
    assertThat(master.status(id).state()).isEqualTo(DriverState.RUNNING);
    assertThat(master.workerStatus("a").coresUsed()).isEqualTo(1);
  }

  @Test
  void aKillThatTheWorkerNeverHeardOfIsSaidAgain() {
    master.worker("a", 4, 1000);
    String id = master.submit(1, 100, false);
    LaunchDriver launch = master.lastDriver("a");
    kill(id);
    master.worker(
        "a", 2, 4, 1000, List.of(), List.of(MasterUnderTest.report(launch, DriverState.RUNNING)));
    assertThat(master.sentToWorker("a", KillDriver.class))
        .extracting(said -> said.stamp().session())
        .containsExactly(1L, 2L);
  }

  @Test
  void driversMayNotTakeWhatIsKeptFromThem() {
    MasterUnderTest keeping = MasterUnderTest.alive("spark.kiln.deploy.keptFromDrivers", "0.5");
    keeping.worker("a", 4, 1000);
    String first = keeping.submit(1, 100, false);
    keeping.submit(1, 100, false);
    String third = keeping.submit(1, 100, false);
    assertThat(keeping.status(third).state()).isEqualTo(DriverState.SUBMITTED);
    assertThat(keeping.status(third).message())
        .isEqualTo(
            "it waits: drivers have 2 cores and 200 MiB, and may have 2 cores and 500 MiB"
                + " (spark.kiln.deploy.keptFromDrivers=0.5)");
    keeping.application(1, application(0, 1, 100));
    assertThat(keeping.launches("a")).hasSize(2);

    keeping.driver(
        "a", keeping.sentToWorker("a", LaunchDriver.class).getFirst(), DriverState.FINISHED);

    assertThat(keeping.status(first).state()).isEqualTo(DriverState.FINISHED);
    assertThat(keeping.status(third).state()).isEqualTo(DriverState.RUNNING);
  }

  @Test
  void onlySoManyRunAtOnce() {
    MasterUnderTest bounded = MasterUnderTest.alive("spark.deploy.maxDrivers", "1");
    bounded.worker("a", 4, 1000);
    bounded.submit(1, 100, false);
    String second = bounded.submit(1, 100, false);
    assertThat(bounded.status(second).message())
        .isEqualTo("it waits: 1 drivers run, which is the limit (spark.deploy.maxDrivers)");
    bounded.driver("a", bounded.lastDriver("a"), DriverState.FINISHED);
    assertThat(bounded.status(second).state()).isEqualTo(DriverState.RUNNING);
  }

  @Test
  void onlySoManyMayWait() {
    MasterUnderTest bounded = MasterUnderTest.alive("spark.kiln.deploy.maxWaitingDrivers", "2");
    bounded.submit("r-1", driver(1, 100, false));
    String second = bounded.submit("r-2", driver(1, 100, false));
    bounded.say(new RequestSubmitDriver(CLIENT, "r-3", driver(1, 100, false)));
    assertThat(bounded.turn.sentTo(CLIENT, SubmitDriverResponse.class).getLast().message())
        .startsWith("2 drivers wait for a worker, which is the limit");
    assertThat(bounded.submit("r-2", driver(1, 100, false))).as("asked again").isEqualTo(second);
    bounded.worker("a", 1, 1000);
    assertThat(bounded.submit("r-3", driver(1, 100, false))).isNotEqualTo(second);
  }

  @Test
  void driversOnADecommissionedWorkerDontTakeTheShareOfOthers() {
    master.worker("a", 4, 1000);
    master.submit(4, 100, false);
    master.say(
        new io.kiln.cluster.protocol.FromClient.RequestDecommissionWorkers(
            CLIENT, "r", List.of("a")));
    master.worker("b", 4, 1000);
    String id = master.submit(4, 100, false);
    assertThat(master.status(id).state()).isEqualTo(DriverState.RUNNING);
  }

  @Test
  void onlySoManyThatAreOverAreRemembered() {
    MasterUnderTest forgetful = MasterUnderTest.alive("spark.deploy.retainedDrivers", "1");
    for (int i = 0; i < 3; i++) {
      String id = forgetful.submit(1, 100, false);
      forgetful.say(new RequestKillDriver(CLIENT, "kill", id));
    }
    assertThat(forgetful.cluster().completedDrivers()).hasSize(1);
    assertThat(forgetful.entries()).hasSize(2);
  }

  @Test
  void inStandbyEveryRequestIsRefusedInWords() {
    MasterUnderTest standby = new MasterUnderTest();
    standby.say(new RequestSubmitDriver(CLIENT, "r", driver(1, 100, false)));
    standby.say(new RequestDriverStatus(CLIENT, "s", "d"));

    SubmitDriverResponse refused =
        standby.turn.sentTo(CLIENT, SubmitDriverResponse.class).getLast();
    assertThat(refused.success()).isFalse();
    assertThat(refused.master().state()).isEqualTo(MasterState.STANDBY);
    assertThat(refused.message())
        .isEqualTo("the master at spark://master:7077 is in standby; ask the one that leads");
    assertThat(standby.turn.sentTo(CLIENT, DriverStatusResponse.class).getLast().driver())
        .isEmpty();
    assertThat(standby.state().master().state()).isEqualTo(MasterState.STANDBY);
  }

  @Test
  void aDriverWithoutCoresIsRefused() {
    master.say(new RequestSubmitDriver(CLIENT, "r", driver(0, 100, false)));
    assertThat(master.turn.sentTo(CLIENT, SubmitDriverResponse.class).getLast().success())
        .isFalse();
  }

  /// Else a driver's program could have its executors run as whom it likes.
  @Test
  void anApplicationInADriverIsOfTheUserWhoSubmittedThat() {
    Command command =
        new Command(
            "Main", List.of(), Map.of("SPARK_USER", "alice"), List.of(), List.of(), List.of());
    String id =
        master.submit("r", new DriverDescription("file:/a.jar", 100, 1, false, command, Map.of()));
    master.worker("a", 4, 1000);
    ApplicationDescription said = application(1, 1, 100);
    ApplicationDescription inDriver =
        new ApplicationDescription(
            said.name(),
            said.maxCores(),
            said.executorCores(),
            said.executorMemoryMebibytes(),
            said.command(),
            said.properties(),
            "bob",
            said.uiUrl(),
            said.share(),
            Optional.of(id));
    master.application(1, 1, Optional.empty(), inDriver);

    assertThat(master.launches("a").getFirst().application().user()).isEqualTo("alice");
  }
}
