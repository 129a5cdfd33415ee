package io.kiln.cluster.master;

import static io.kiln.cluster.Descriptions.application;
import static io.kiln.cluster.master.MasterUnderTest.addressOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.cluster.master.MasterEvent.LinkLost;
import io.kiln.cluster.protocol.ApplicationState;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.FromApplication.KillExecutors;
import io.kiln.cluster.protocol.FromApplication.UnregisterApplication;
import io.kiln.cluster.protocol.FromClient.RequestKillApplication;
import io.kiln.cluster.protocol.ToApplication.ApplicationRemoved;
import io.kiln.cluster.protocol.ToApplication.ExecutorAdded;
import io.kiln.cluster.protocol.ToApplication.ExecutorUpdated;
import io.kiln.cluster.protocol.ToApplication.ReconnectApplication;
import io.kiln.cluster.protocol.ToApplication.RegisterApplicationFailed;
import io.kiln.cluster.protocol.ToApplication.RegisteredApplication;
import io.kiln.cluster.protocol.ToApplication.WaitingForResources;
import io.kiln.cluster.protocol.ToWorker.ApplicationFinished;
import io.kiln.cluster.protocol.ToWorker.ExecutorStateKnown;
import io.kiln.cluster.protocol.ToWorker.KillExecutor;
import io.kiln.cluster.protocol.ToWorker.LaunchDriver;
import io.kiln.cluster.protocol.ToWorker.LaunchExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MasterExecutorsTest {
  private final MasterUnderTest master = MasterUnderTest.alive();

  private List<Integer> cores(String worker) {
    return master.launches(worker).stream().map(LaunchExecutor::cores).toList();
  }

  private ApplicationRemoved removed(long application) {
    return master.sentToApplication(application, ApplicationRemoved.class).getLast();
  }

  // placement

  @Test
  void spreadsExecutorsOut() {
    master.worker("a", 4, 1000);
    master.worker("b", 4, 1000);
    master.application(1, application(4, 1, 100));

    assertThat(cores("a")).containsExactly(1, 1);
    assertThat(cores("b")).containsExactly(1, 1);
  }

  @Test
  void packsExecutorsWhereItIsToldTo() {
    MasterUnderTest packing = MasterUnderTest.alive("spark.deploy.spreadOutApps", "false");
    packing.worker("a", 4, 1000);
    packing.worker("b", 4, 1000);
    packing.application(1, application(4, 1, 100));

    assertThat(packing.launches("a")).hasSize(4);
    assertThat(packing.launches("b")).isEmpty();
  }

  @Test
  void fillsTheWorkerThatThePolicyPrefers() {
    MasterUnderTest ascending =
        MasterUnderTest.alive("spark.deploy.workerSelectionPolicy", "CORES_FREE_ASC");
    ascending.worker("a", 8, 1000);
    ascending.worker("b", 4, 1000);
    ascending.application(1, application(1, 1, 100));
    assertThat(ascending.launches("b")).hasSize(1);

    master.worker("a", 4, 1000);
    master.worker("b", 8, 1000);
    master.application(1, application(1, 1, 100));
    assertThat(master.launches("b")).hasSize(1);
  }

  @Test
  void withoutCoresEachWorkerGetsOneExecutor() {
    master.worker("a", 4, 1000);
    master.worker("b", 2, 1000);
    master.application(1, application(0, 0, 100));

    assertThat(cores("a")).containsExactly(4);
    assertThat(cores("b")).containsExactly(2);
  }

  @Test
  void coresAreBoundedByTheMastersDefault() {
    MasterUnderTest bounded = MasterUnderTest.alive("spark.deploy.defaultCores", "3");
    bounded.worker("a", 8, 1000);
    bounded.application(1, application(0, 1, 100));
    bounded.application(2, application(4, 4, 100));

    assertThat(bounded.launches("a")).extracting(LaunchExecutor::cores).containsExactly(1, 1, 1, 4);
  }

  @Test
  void theFirstApplicationGoesFirst() {
    master.application(1, application(0, 1, 100));
    master.application(2, application(0, 1, 100));
    master.worker("a", 4, 1000);

    assertThat(master.sentToApplication(1, ExecutorAdded.class)).hasSize(4);
    assertThat(master.sentToApplication(2, ExecutorAdded.class)).isEmpty();
    master.executor("a", master.launches("a").getFirst(), ExecutorState.EXITED, 0);
    assertThat(master.sentToApplication(1, ExecutorAdded.class)).hasSize(5);
  }

  @Test
  void whatTheFirstCantUseTheNextGets() {
    master.worker("a", 4, 1000);
    master.application(1, application(0, 8, 100));
    master.application(2, application(0, 2, 100));

    assertThat(master.sentToApplication(2, ExecutorAdded.class)).hasSize(2);
  }

  @Test
  void aHigherPriorityGoesFirst() {
    master.application(1, application(0, 1, 100));
    master.application(
        2,
        application(
            3, 1, 100, new io.kiln.cluster.protocol.ApplicationDescription.Share("default", 5)));
    master.worker("a", 4, 1000);

    assertThat(master.sentToApplication(2, ExecutorAdded.class)).hasSize(3);
    assertThat(master.sentToApplication(1, ExecutorAdded.class)).hasSize(1);
  }

  @Test
  void neverGivesMoreThanAWorkerHas() {
    master.worker("a", 4, 250);
    master.application(1, application(0, 1, 100));
    assertThat(master.launches("a")).hasSize(2);
    master.application(2, application(0, 1, 50));
    assertThat(master.launches("a")).hasSize(3);
    assertThat(master.workerStatus("a").memoryUsedMebibytes()).isEqualTo(250);
  }

  // registration

  @Test
  void registeringAgainIsTheSameApplication() {
    master.worker("a", 2, 1000);
    String id = master.application(1, application(0, 1, 100));
    master.application(1, 2, Optional.of(id), application(0, 1, 100));

    RegisteredApplication again = master.registered(1);
    assertThat(again.applicationId()).isEqualTo(id);
    assertThat(again.complete()).isTrue();
    assertThat(again.executors()).extracting("executorId").containsExactly(0, 1);
    assertThat(master.cluster().activeApplications()).hasSize(1);
    assertThat(master.launches("a")).hasSize(2);
  }

  @Test
  void anAnswerThatWasLostIsGivenAgainThoughTheClientHasNoIdYet() {
    String id = master.application(1, application(0, 1, 100));
    master.application(1, 2, Optional.empty(), application(0, 1, 100));
    assertThat(master.registered(1).applicationId()).isEqualTo(id);
    assertThat(id).isEqualTo("app-20261128120000-0000");
  }

  @Test
  void anApplicationThatCantBeIsToldAtOnce() {
    master.application(1, 1, Optional.empty(), application(2, 4, 100));
    assertThat(master.sentToApplication(1, RegisterApplicationFailed.class).getFirst().reason())
        .isEqualTo(
            "one executor would have more cores (spark.executor.cores=4) than the application may"
                + " have (spark.cores.max=2); raise the latter");
    master.application(2, 1, Optional.empty(), application(2, 1, 0));
    assertThat(master.sentToApplication(2, RegisterApplicationFailed.class)).hasSize(1);
    assertThat(master.cluster().activeApplications()).isEmpty();
  }

  @Test
  void anApplicationThatThisMasterNeverKnewIsToldSo() {
    master.application(1, 4, Optional.of("app-of-another"), application(2, 1, 100));
    assertThat(removed(1).state()).isEqualTo(ApplicationState.FAILED);
    assertThat(removed(1).message()).contains("spark.deploy.recoveryMode");
  }

  // dynamic allocation

  @Test
  void aLimitBoundsExecutors() {
    master.worker("a", 8, 1000);
    String id = master.application(1, application(0, 1, 100));
    assertThat(master.launches("a")).hasSize(8);

    master.request(1, 3);
    assertThat(master.sentToWorker("a", KillExecutor.class)).isEmpty();
    master.say(new KillExecutors(1, 1, id, List.of(0, 1, 2, 3, 4, 5)));
    assertThat(master.sentToWorker("a", KillExecutor.class)).hasSize(6);
    for (LaunchExecutor launch : master.launches("a").subList(0, 6)) {
      master.executor("a", launch, ExecutorState.KILLED);
    }

    assertThat(master.launches("a")).hasSize(9); // 2 are left, 3 are wanted
    master.request(1, 5);
    assertThat(master.launches("a")).hasSize(11);
  }

  @Test
  void anExecutorThatIsStoppedKeepsItsRoomUntilItHasEnded() {
    master.worker("a", 1, 1000);
    String id = master.application(1, application(0, 1, 100));
    master.application(2, application(0, 1, 100));
    master.request(1, 0);
    master.say(new KillExecutors(1, 1, id, List.of(0)));
    assertThat(master.launches("a")).hasSize(1);

    master.executor("a", master.launches("a").getFirst(), ExecutorState.KILLED);

    assertThat(master.launches("a")).hasSize(2);
    assertThat(master.sentToApplication(1, ExecutorUpdated.class))
        .extracting(ExecutorUpdated::state)
        .containsExactly(ExecutorState.KILLED);
  }

  // ends

  @Test
  void theEndOfAnExecutorIsToldOnceAndAcknowledgedAlways() {
    master.worker("a", 1, 1000);
    master.application(1, application(0, 1, 100));
    LaunchExecutor launch = master.launches("a").getFirst();
    master.executor("a", launch, ExecutorState.EXITED, 0);
    master.executor("a", launch, ExecutorState.EXITED, 0);

    assertThat(master.sentToApplication(1, ExecutorUpdated.class)).hasSize(1);
    assertThat(master.sentToWorker("a", ExecutorStateKnown.class)).hasSize(2);
    assertThat(master.workerStatus("a").coresUsed()).isEqualTo(1);
  }

  @Test
  void anApplicationThatStopsEndsItsExecutors() {
    master.worker("a", 2, 1000);
    String id = master.application(1, application(0, 1, 100));
    master.say(new UnregisterApplication(1, 1, id, addressOf(1)));

    assertThat(removed(1).state()).isEqualTo(ApplicationState.FINISHED);
    assertThat(master.sentToWorker("a", ApplicationFinished.class)).hasSize(1);
    assertThat(master.workerStatus("a").coresUsed()).isEqualTo(2);
    for (LaunchExecutor launch : master.launches("a")) {
      master.executor("a", launch, ExecutorState.KILLED);
    }
    assertThat(master.workerStatus("a").coresUsed()).isZero();
    master.say(new UnregisterApplication(1, 1, id, addressOf(1)));
    assertThat(master.sentToApplication(1, ApplicationRemoved.class)).hasSize(2);
    assertThat(master.cluster().completedApplications()).hasSize(1);
  }

  @Test
  void anApplicationIsKilledByRequest() {
    String id = master.application(1, application(0, 1, 100));
    master.say(new RequestKillApplication(MasterUnderTest.CLIENT, "r", id));
    assertThat(removed(1).state()).isEqualTo(ApplicationState.KILLED);
  }

  @Test
  void onlySoManyThatAreOverAreRemembered() {
    MasterUnderTest forgetful = MasterUnderTest.alive("spark.deploy.retainedApplications", "2");
    for (long i = 1; i <= 4; i++) {
      String id = forgetful.application(i, application(0, 1, 100));
      forgetful.say(new UnregisterApplication(i, 1, id, addressOf(i)));
    }
    assertThat(forgetful.cluster().completedApplications())
        .extracting("applicationId")
        .containsExactly("app-20261128120000-0003", "app-20261128120000-0002");
    assertThat(forgetful.entries()).hasSize(3); // and the numbers
  }

  @Test
  void aLostLinkEndsAnApplicationThatDoesNotComeBack() {
    master.application(1, application(0, 1, 100));
    String blinking = master.application(2, application(0, 1, 100));
    master.say(new LinkLost(addressOf(1)));
    master.say(new LinkLost(addressOf(2)));
    master.pass(Duration.ofSeconds(3));
    master.application(2, 2, Optional.of(blinking), application(0, 1, 100));
    master.pass(Duration.ofSeconds(3));

    assertThat(removed(1).message())
        .isEqualTo("its driver lost its connection, and did not come back within 5 s");
    assertThat(master.cluster().activeApplications())
        .extracting("applicationId")
        .containsExactly(blinking);
  }

  @Test
  void aSilentApplicationIsOverAndOneThatSpeaksIsNot() {
    master.application(1, application(0, 1, 100));
    String other = master.application(2, application(0, 1, 100));
    master.passWith(Duration.ofSeconds(70), List.of(), List.of(2L));

    assertThat(removed(1).message()).isEqualTo("its driver was silent for 60 s");
    assertThat(master.cluster().activeApplications())
        .extracting("applicationId")
        .containsExactly(other);
    master.applicationHeartbeat(1);
    assertThat(master.sentToApplication(1, ReconnectApplication.class)).hasSize(1);
    master.application(1, 9, Optional.empty(), application(0, 1, 100));
    assertThat(master.sentToApplication(1, ApplicationRemoved.class)).hasSize(2);
  }

  // failures

  /// Lets executors fail as soon as they are launched; one application, one worker.
  private int failAll(MasterUnderTest failing, Duration time, long runMillis) {
    int failed = 0;
    for (Duration left = time; left.isPositive(); left = left.minusMillis(100)) {
      while (failing.launches("a").size() > failed && failed < 30) {
        LaunchExecutor launch = failing.launches("a").get(failed++);
        failing.executor("a", launch, ExecutorState.RUNNING);
        if (runMillis > 0) {
          failing.passWith(Duration.ofMillis(runMillis), List.of("a"), List.of(1L));
        }
        failing.executor("a", launch, ExecutorState.EXITED, 1);
      }
      failing.heartbeat("a", Long.MAX_VALUE);
      failing.applicationHeartbeat(1);
      failing.pass(Duration.ofMillis(100));
    }
    return failed;
  }

  @Test
  void anApplicationWhoseExecutorsKeepFailingIsRemovedWithTheReason() {
    master.worker("a", 1, 1000);
    master.application(1, application(1, 1, 100));

    int failed = failAll(master, Duration.ofSeconds(60), 0);

    assertThat(failed).isEqualTo(10);
    assertThat(removed(1).state()).isEqualTo(ApplicationState.FAILED);
    assertThat(removed(1).message())
        .isEqualTo(
            "10 executors failed in a row, which is the limit (spark.deploy.maxExecutorRetries);"
                + " the last: executor app-20261128120000-0000/9 on a: exit code 1; see its log,"
                + " mend that, and start the application again");
  }

  private static void failToStart(MasterUnderTest master, String worker) {
    master.executor(worker, master.launches(worker).getLast(), ExecutorState.FAILED);
  }

  @Test
  void aWorkerThatCanNotStartExecutorsIsLeftOutForAWhileAndTheReasonIsShown() {
    master.worker("a", 4, 1000);
    master.worker("b", 1, 1000);
    master.application(1, application(2, 1, 100));
    failToStart(master, "a");
    failToStart(master, "a");

    assertThat(master.launches("a")).hasSize(2);
    assertThat(master.workerStatus("a").leftOut())
        .isEqualTo("it could not start 2 executors in a row; the last: exit code 1");
    assertThat(master.workerStatus("b").leftOut()).isEmpty();
    master.passWith(Duration.ofSeconds(9), List.of("a", "b"), List.of(1L));
    assertThat(master.launches("a")).hasSize(2);

    master.passWith(Duration.ofSeconds(2), List.of("a", "b"), List.of(1L));
    assertThat(master.launches("a")).hasSize(3);
    assertThat(master.workerStatus("a").leftOut()).isEmpty();
    failToStart(master, "a"); // still in a row
    master.passWith(Duration.ofSeconds(19), List.of("a", "b"), List.of(1L));
    assertThat(master.launches("a")).hasSize(3);
    master.passWith(Duration.ofSeconds(2), List.of("a", "b"), List.of(1L));
    master.executor("a", master.launches("a").getLast(), ExecutorState.RUNNING);
    assertThat(master.launches("a")).hasSize(4);
  }

  @Test
  void whatIsTheApplicationsFaultIsNotTheWorkers() {
    master.worker("a", 4, 1000);
    master.worker("b", 1, 1000);
    master.application(1, application(2, 1, 100));
    for (int i = 0; i < 2; i++) {
      master.executor("a", master.launches("a").getLast(), ExecutorState.RUNNING);
      master.executor("a", master.launches("a").getLast(), ExecutorState.EXITED, 1);
    }

    assertThat(master.workerStatus("a").leftOut()).isEmpty();
  }

  @Test
  void theOnlyWorkerIsNotLeftOut() {
    master.worker("a", 4, 1000);
    master.application(1, application(1, 1, 100));
    failToStart(master, "a");
    failToStart(master, "a");

    assertThat(master.launches("a")).hasSize(3);
    assertThat(master.workerStatus("a").leftOut()).isEmpty();
  }

  @Test
  void aWorkerThatSaysThatItHasNoRoomIsGivenNothingUntilItHas() {
    master.worker("a", 4, 1000);
    master.heartbeat("a", Long.MAX_VALUE, "its disk is full");
    master.application(1, application(1, 1, 100));
    master.submit(1, 100, false);

    assertThat(master.launches("a")).isEmpty();
    assertThat(master.sentToWorker("a", LaunchDriver.class)).isEmpty();
    assertThat(master.workerStatus("a").leftOut()).isEqualTo("its disk is full");
    master.heartbeat("a", Long.MAX_VALUE, "");
    assertThat(master.launches("a")).hasSize(1);
    assertThat(master.sentToWorker("a", LaunchDriver.class)).hasSize(1);
    assertThat(master.workerStatus("a").leftOut()).isEmpty();
  }

  @Test
  void aWorkerHearsOfAnApplicationThatEndedWhileNoMasterWasThere() {
    master.worker("a", 4, 1000);
    master.application(1, application(1, 1, 100));
    LaunchExecutor launch = master.launches("a").getFirst();
    MasterUnderTest next = MasterUnderTest.alive();

    next.worker(
        "a",
        1,
        4,
        1000,
        List.of(MasterUnderTest.report(launch, ExecutorState.EXITED, 0)),
        List.of());

    assertThat(next.sentToWorker("a", ApplicationFinished.class))
        .extracting(ApplicationFinished::applicationId)
        .containsExactly(launch.applicationId());
  }

  @Test
  void whereTheMasterBeforePutAnApplicationItsEndIsToldToo() {
    String id = master.application(1, application(1, 1, 100));
    master.replace();
    master.elect();
    master.worker("a", 4, 50); // too little for it: this master gives it nothing there
    master.application(1, 2, java.util.Optional.of(id), application(0, 1, 100));
    assertThat(master.launches("a")).isEmpty();

    master.say(new RequestKillApplication(MasterUnderTest.CLIENT, "kill", id));

    assertThat(master.sentToWorker("a", ApplicationFinished.class)).isNotEmpty();
  }

  @Test
  void failuresAreMadeGoodAtOnceAndThenEverMoreSlowly() {
    master.worker("a", 1, 1000);
    master.application(1, application(1, 1, 100));
    assertThat(failAll(master, Duration.ofMillis(100), 0)).as("at once").isEqualTo(3);
    assertThat(master.launches("a")).as("after 100 ms").hasSize(4);
    master.executor("a", master.launches("a").getLast(), ExecutorState.EXITED, 1);
    master.pass(Duration.ofMillis(199));
    assertThat(master.launches("a")).hasSize(4);
    master.pass(Duration.ofMillis(2));
    assertThat(master.launches("a")).hasSize(5);
  }

  @Test
  void whileExecutorsFailTheyAreStartedOneByOne() {
    master.worker("a", 8, 1000);
    master.application(1, application(8, 1, 100));
    for (LaunchExecutor launch : master.launches("a").subList(0, 3)) {
      master.executor("a", launch, ExecutorState.EXITED, 1);
    }
    assertThat(master.launches("a")).hasSize(10); // the third waits
    master.pass(Duration.ofMillis(101));
    assertThat(master.launches("a")).hasSize(11);
    master.executor("a", master.launches("a").get(3), ExecutorState.EXITED, 0);
    assertThat(master.launches("a")).as("not even for one that ended well").hasSize(11);
    master.pass(Duration.ofMillis(101));
    assertThat(master.launches("a")).hasSize(12);
  }

  @Test
  void executorsThatStayForAMinuteDontCountTogether() {
    master.worker("a", 1, 1000);
    master.application(1, application(1, 1, 100));
    assertThat(failAll(master, Duration.ofSeconds(3), 61_000)).isGreaterThan(20);
    assertThat(master.sentToApplication(1, ApplicationRemoved.class)).isEmpty();
  }

  @Test
  void aLimitOfMinusOneNeverRemoves() {
    MasterUnderTest patient = MasterUnderTest.alive("spark.deploy.maxExecutorRetries", "-1");
    patient.worker("a", 1, 1000);
    patient.application(1, application(1, 1, 100));
    assertThat(failAll(patient, Duration.ofSeconds(100), 0)).isGreaterThan(20);
    assertThat(patient.sentToApplication(1, ApplicationRemoved.class)).isEmpty();
  }

  @Test
  void anApplicationWithAnExecutorThatRunsIsNotRemoved() {
    master.worker("a", 2, 1000);
    master.application(1, application(2, 1, 100));
    master.executor("a", master.launches("a").getFirst(), ExecutorState.RUNNING);
    for (int i = 1; i <= 20; i++) {
      master.executor("a", master.launches("a").getLast(), ExecutorState.EXITED, 1);
      master.pass(Duration.ofSeconds(1));
      master.heartbeat("a", Long.MAX_VALUE);
      master.applicationHeartbeat(1);
    }
    assertThat(master.sentToApplication(1, ApplicationRemoved.class)).isEmpty();
  }

  @Test
  void executorsThatEndWellOrAreKilledOrLostDontCount() {
    master.worker("a", 1, 1000);
    master.application(1, application(1, 1, 100));
    for (int i = 0; i < 20; i++) {
      ExecutorState[] ends = {ExecutorState.KILLED, ExecutorState.LOST, ExecutorState.EXITED};
      master.executor("a", master.launches("a").getLast(), ends[i % 3], 0);
    }
    assertThat(master.launches("a")).hasSize(21);
  }

  // waiting

  private List<WaitingForResources> waiting(long application) {
    return master.sentToApplication(application, WaitingForResources.class);
  }

  @Test
  void whatNoWorkerCanSatisfyIsSaidWithin15SecondsWithTheNumbers() {
    master.worker("a", 4, 1000);
    master.worker("b", 2, 3000);
    master.application(1, application(0, 4, 2000));

    master.passWith(Duration.ofSeconds(15), List.of("a", "b"), List.of(1L));

    assertThat(waiting(1).getFirst().message())
        .isEqualTo(
            "an executor needs 4 cores and 2000 MiB, but of 2 workers none has both: the most are"
                + " 4 cores and 3000 MiB; lower spark.executor.cores and spark.executor.memory, or"
                + " start larger workers");
    master.passWith(Duration.ofMinutes(2), List.of("a", "b"), List.of(1L));
    assertThat(waiting(1)).hasSize(3);
  }

  @Test
  void whoWaitsForOthersIsToldSo() {
    master.application(2, application(0, 1, 100));
    master.passWith(Duration.ofSeconds(11), List.of(), List.of(2L));
    assertThat(waiting(2).getFirst().message())
        .isEqualTo("an executor needs 1 core and 100 MiB, but no worker is registered; start one");

    master.worker("a", 4, 1000);
    master.application(3, application(0, 2, 100));
    master.passWith(Duration.ofSeconds(11), List.of("a"), List.of(2L, 3L));
    assertThat(waiting(3).getFirst().message())
        .isEqualTo(
            "an executor needs 2 cores and 100 MiB, and all 1 workers together have 0 cores and"
                + " 600 MiB free of 4 cores and 1000 MiB; it waits until others are over");
  }

  @Test
  void whoHasExecutorsOrWantsNoneIsToldNothing() {
    master.worker("a", 1, 1000);
    master.application(1, application(0, 1, 100));
    master.application(2, application(0, 1, 100));
    master.request(2, 0);
    master.passWith(Duration.ofSeconds(100), List.of("a"), List.of(1L, 2L));
    assertThat(waiting(1)).isEmpty();
    assertThat(waiting(2)).isEmpty();
  }
}
