package io.kiln.cluster.worker;

import static io.kiln.cluster.Descriptions.application;
import static io.kiln.cluster.Descriptions.driver;
import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.RecordedTurn;
import io.kiln.cluster.protocol.DriverReport;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.ExecutorStatus;
import io.kiln.cluster.protocol.FromWorker;
import io.kiln.cluster.protocol.FromWorker.DriverStateChanged;
import io.kiln.cluster.protocol.FromWorker.ExecutorStateChanged;
import io.kiln.cluster.protocol.FromWorker.RegisterWorker;
import io.kiln.cluster.protocol.FromWorker.UnregisterWorker;
import io.kiln.cluster.protocol.FromWorker.WorkerDecommissioning;
import io.kiln.cluster.protocol.FromWorker.WorkerHeartbeat;
import io.kiln.cluster.protocol.MasterChanged;
import io.kiln.cluster.protocol.MasterInStandby;
import io.kiln.cluster.protocol.Stamp;
import io.kiln.cluster.protocol.ToWorker;
import io.kiln.cluster.protocol.ToWorker.ApplicationFinished;
import io.kiln.cluster.protocol.ToWorker.DriverStateKnown;
import io.kiln.cluster.protocol.ToWorker.ExecutorStateKnown;
import io.kiln.cluster.protocol.ToWorker.HeartbeatSeen;
import io.kiln.cluster.protocol.ToWorker.KillDriver;
import io.kiln.cluster.protocol.ToWorker.KillExecutor;
import io.kiln.cluster.protocol.ToWorker.LaunchDriver;
import io.kiln.cluster.protocol.ToWorker.LaunchExecutor;
import io.kiln.cluster.protocol.ToWorker.ReconnectWorker;
import io.kiln.cluster.protocol.ToWorker.RegisterWorkerFailed;
import io.kiln.cluster.protocol.ToWorker.RegisteredWorker;
import io.kiln.cluster.protocol.WorkerDescription;
import io.kiln.cluster.protocol.WorkerMessage;
import io.kiln.cluster.worker.RunnerOrder.CheckRoom;
import io.kiln.cluster.worker.RunnerOrder.EndProcess;
import io.kiln.cluster.worker.RunnerOrder.RemoveApplicationDirectories;
import io.kiln.cluster.worker.RunnerOrder.RemoveOldDirectories;
import io.kiln.cluster.worker.RunnerOrder.StartDriver;
import io.kiln.cluster.worker.RunnerOrder.StartExecutor;
import io.kiln.cluster.worker.RunnerOrder.StopDriver;
import io.kiln.cluster.worker.RunnerOrder.StopExecutor;
import io.kiln.cluster.worker.WorkerEvent.Decommission;
import io.kiln.cluster.worker.WorkerEvent.DriverEnded;
import io.kiln.cluster.worker.WorkerEvent.DriverStarted;
import io.kiln.cluster.worker.WorkerEvent.ExecutorEnded;
import io.kiln.cluster.worker.WorkerEvent.ExecutorStarted;
import io.kiln.cluster.worker.WorkerEvent.LinkLost;
import io.kiln.cluster.worker.WorkerEvent.RoomChecked;
import io.kiln.cluster.worker.WorkerEvent.Start;
import io.kiln.cluster.worker.WorkerEvent.StatusWanted;
import io.kiln.cluster.worker.WorkerEvent.Stop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class WorkerTest {
  private static final Address FIRST = new Address("first:7077", "master");
  private static final Address SECOND = new Address("second:7077", "master");
  private static final Address SELF = new Address("w:1", "worker");
  private static final Address RUNNER = new Address("w:1", "runner");

  private final RecordedTurn turn = new RecordedTurn();
  private final Worker worker =
      new Worker(
          new WorkerIdentity("w", 7),
          new WorkerDescription(SELF, "w", 1, 4, 1000, ""),
          List.of(FIRST, SECOND),
          RUNNER,
          new WorkerOptions(
              Duration.ofSeconds(60),
              2,
              4,
              2,
              Optional.of(new WorkerOptions.CleanUp(Duration.ofMinutes(30), Duration.ofDays(7)))));
  private long epoch = 1;
  private long number;

  private void say(WorkerMessage message) {
    worker.handle(message, turn);
  }

  private void pass(Duration time) {
    turn.pass(time, message -> say((WorkerMessage) message));
  }

  /// The master that is followed in session 1 answers heartbeats.
  private void passWithMaster(Duration time) {
    for (Duration left = time; left.isPositive(); left = left.minusSeconds(15)) {
      pass(Duration.ofSeconds(15));
      say(new HeartbeatSeen(1, 1));
    }
  }

  private <M> List<M> said(Address master, Class<M> type) {
    return turn.sentTo(master, type);
  }

  private <M> List<M> ordered(Class<M> type) {
    return turn.sentTo(RUNNER, type);
  }

  private RegisterWorker lastRegistration(Address master) {
    return said(master, RegisterWorker.class).getLast();
  }

  private void follow(Address master) {
    number = 1;
    Stamp stamp = new Stamp(epoch, lastRegistration(master).session(), number);
    say(new RegisteredWorker(stamp, master, "spark://" + master.process(), ""));
  }

  private void start() {
    say(new Start());
    follow(FIRST);
  }

  /// From the master, as its next word.
  private void command(Function<Stamp, ToWorker> command) {
    say(command.apply(new Stamp(epoch, lastRegistration(FIRST).session(), ++number)));
  }

  private void launch(int executorId, int cores) {
    command(
        stamp -> new LaunchExecutor(stamp, "app", executorId, application(0, 1, 100), cores, 100));
  }

  private void launchDriver(boolean supervise) {
    command(stamp -> new LaunchDriver(stamp, "d", 1, driver(1, 100, supervise), Optional.empty()));
    say(new DriverStarted("d", 1, 1));
  }

  private ExecutorStatus lastExecutor() {
    return said(FIRST, ExecutorStateChanged.class).getLast().executor();
  }

  private DriverReport lastDriver() {
    return said(FIRST, DriverStateChanged.class).getLast().driver();
  }

  // registration

  @Test
  void asksAllMastersUntilOneAnswers() {
    say(new Start());
    assertThat(said(FIRST, RegisterWorker.class)).hasSize(1);
    assertThat(said(SECOND, RegisterWorker.class)).hasSize(1);
    pass(Duration.ofMillis(500));
    assertThat(said(SECOND, RegisterWorker.class))
        .extracting(FromWorker::session)
        .containsExactly(1L, 2L);

    follow(SECOND);
    pass(Duration.ofSeconds(14));

    assertThat(said(SECOND, RegisterWorker.class)).hasSize(2);
  }

  @Test
  void givesUpAfterSoManyTries() {
    say(new Start());
    pass(Duration.ofMinutes(10));

    assertThat(ordered(EndProcess.class).getFirst().failure().orElseThrow())
        .isEqualTo(
            "no master answered 10 times: first:7077, second:7077; see that one is there, and"
                + " start the worker again");
    assertThat(said(FIRST, RegisterWorker.class)).hasSize(10);
  }

  @Test
  void anAnswerToAnOlderSessionIsDropped() {
    say(new Start());
    pass(Duration.ofMillis(500));
    say(new RegisteredWorker(new Stamp(1, 1, 1), FIRST, "spark://first:7077", ""));
    pass(Duration.ofSeconds(1));
    assertThat(said(FIRST, RegisterWorker.class)).hasSize(3);
  }

  @Test
  void aRefusedWorkerEnds() {
    say(new Start());
    say(new RegisterWorkerFailed(1, "its id is taken"));
    assertThat(ordered(EndProcess.class).getFirst().failure()).contains("its id is taken");
  }

  @Test
  void aLostLinkHasItAskAllMastersAgainAndWhatRunsGoesOn() {
    start();
    launch(0, 2);
    say(new ExecutorStarted("app", 0));
    say(new LinkLost(SECOND));
    assertThat(said(SECOND, RegisterWorker.class)).hasSize(1);
    say(new LinkLost(FIRST));

    assertThat(said(SECOND, RegisterWorker.class)).hasSize(2);
    assertThat(lastRegistration(SECOND).executors())
        .extracting(ExecutorStatus::state)
        .containsExactly(ExecutorState.RUNNING);
    assertThat(ordered(StopExecutor.class)).isEmpty();
  }

  @Test
  void aNewMasterIsFollowedAndTheOldOneIsNotHeard() {
    start();
    say(new MasterChanged(2, SECOND, "spark://second:7077", ""));
    assertThat(lastRegistration(SECOND).session()).isEqualTo(2);
    assertThat(said(FIRST, RegisterWorker.class)).hasSize(1);
    launch(0, 1); // the old master's, of session 1
    say(new RegisteredWorker(new Stamp(1, 2, 1), FIRST, "spark://first:7077", ""));
    launch(1, 1);
    assertThat(ordered(StartExecutor.class)).isEmpty();

    epoch = 2;
    follow(SECOND);
    say(new MasterChanged(1, FIRST, "spark://first:7077", ""));
    assertThat(said(FIRST, RegisterWorker.class)).hasSize(1);
  }

  @Test
  void ofTwoMastersThatAnswerTheNewerIsFollowed() {
    start();
    say(new RegisteredWorker(new Stamp(3, 1, 1), SECOND, "spark://second:7077", ""));
    launch(0, 1); // of epoch 1
    assertThat(ordered(StartExecutor.class)).isEmpty();
    pass(Duration.ofSeconds(15));
    assertThat(said(SECOND, WorkerHeartbeat.class)).hasSize(1);
    assertThat(said(FIRST, WorkerHeartbeat.class)).isEmpty();
  }

  @Test
  void whileItHasNoRoomItSaysSoAtOnceAndToWhomItRegistersWith() {
    start();
    assertThat(ordered(CheckRoom.class)).hasSize(1);
    say(new RoomChecked(""));
    assertThat(said(FIRST, WorkerHeartbeat.class)).isEmpty();
    say(new RoomChecked("full"));
    pass(Duration.ofSeconds(15));
    say(new RoomChecked("full"));
    assertThat(ordered(CheckRoom.class)).hasSize(2);
    assertThat(said(FIRST, WorkerHeartbeat.class))
        .extracting(WorkerHeartbeat::trouble)
        .containsExactly("full", "full");

    epoch = 2;
    follow(SECOND);
    assertThat(said(SECOND, WorkerHeartbeat.class))
        .extracting(WorkerHeartbeat::trouble)
        .containsExactly("full");
    say(new RoomChecked(""));
    assertThat(said(SECOND, WorkerHeartbeat.class).getLast().trouble()).isEmpty();
  }

  @Test
  void aGapInTheMastersWordsHasItRegisterAgain() {
    start();
    number++;
    launch(0, 1);
    assertThat(ordered(StartExecutor.class)).isEmpty();
    assertThat(said(FIRST, RegisterWorker.class)).hasSize(2);
    assertThat(said(SECOND, RegisterWorker.class)).hasSize(1);
  }

  @Test
  void aWordThatComesTwiceIsTakenOnce() {
    start();
    launch(0, 1);
    number--;
    launch(0, 1);
    assertThat(ordered(StartExecutor.class)).hasSize(1);
    assertThat(said(FIRST, RegisterWorker.class)).hasSize(1);
  }

  @Test
  void aSilentMasterIsLookedForElsewhere() {
    start();
    pass(Duration.ofSeconds(61));
    assertThat(said(SECOND, RegisterWorker.class)).hasSize(1);
    pass(Duration.ofSeconds(15));
    assertThat(said(SECOND, RegisterWorker.class).size()).isGreaterThan(1);
  }

  @Test
  void aMasterThatAnswersHeartbeatsIsKept() {
    start();
    passWithMaster(Duration.ofSeconds(150));
    assertThat(said(FIRST, RegisterWorker.class)).hasSize(1);
    assertThat(said(FIRST, WorkerHeartbeat.class)).hasSize(10);
  }

  @Test
  void isToldToReconnectOrThatItsMasterStandsBy() {
    start();
    say(new ReconnectWorker(1, 7, 99, FIRST));
    say(new ReconnectWorker(1, 8, 1, FIRST));
    assertThat(said(FIRST, RegisterWorker.class)).hasSize(1);
    say(new ReconnectWorker(1, 7, 1, FIRST));
    assertThat(said(FIRST, RegisterWorker.class)).hasSize(2);
    follow(FIRST);
    say(new MasterInStandby(2, "spark://first:7077"));
    assertThat(said(SECOND, RegisterWorker.class)).hasSize(2);
  }

  // executors

  @Test
  void anExecutorsLifeIsToldUntilItIsKnown() {
    start();
    launch(0, 2);
    assertThat(said(FIRST, ExecutorStateChanged.class)).isEmpty();
    say(new ExecutorStarted("app", 0));
    assertThat(lastExecutor().state()).isEqualTo(ExecutorState.RUNNING);
    say(new ExecutorEnded("app", 0, Optional.of(1), "exited with code 1"));
    assertThat(lastExecutor().state()).isEqualTo(ExecutorState.EXITED);
    assertThat(lastExecutor().exitCode()).contains(1);
    pass(Duration.ofSeconds(15));
    assertThat(said(FIRST, ExecutorStateChanged.class)).hasSize(3);

    command(stamp -> new ExecutorStateKnown(stamp, "app", 0, ExecutorState.RUNNING)); // too early
    pass(Duration.ofSeconds(15));
    assertThat(said(FIRST, ExecutorStateChanged.class)).hasSize(4);
    command(stamp -> new ExecutorStateKnown(stamp, "app", 0, ExecutorState.EXITED));
    pass(Duration.ofSeconds(15));
    assertThat(said(FIRST, ExecutorStateChanged.class)).hasSize(4);
    say(new LinkLost(FIRST));
    assertThat(lastRegistration(FIRST).executors()).isEmpty();
  }

  @Test
  void anExecutorThatCantBeStartedHasFailed() {
    start();
    launch(0, 1);
    say(new ExecutorEnded("app", 0, Optional.empty(), "no such directory"));
    assertThat(lastExecutor().state()).isEqualTo(ExecutorState.FAILED);
  }

  @Test
  void anExecutorIsKilledOnceAndSaysSo() {
    start();
    launch(0, 1);
    command(stamp -> new KillExecutor(stamp, "app", 0, "not needed"));
    command(stamp -> new KillExecutor(stamp, "app", 0, "not needed"));
    assertThat(ordered(StopExecutor.class)).hasSize(1);
    say(new ExecutorEnded("app", 0, Optional.of(143), "killed"));
    assertThat(lastExecutor().state()).isEqualTo(ExecutorState.KILLED);
  }

  @Test
  void aKillOfOneThatDoesNotRunHereIsAnswered() {
    start();
    command(stamp -> new KillExecutor(stamp, "app", 5, "not needed"));
    assertThat(lastExecutor().state()).isEqualTo(ExecutorState.KILLED);
    assertThat(ordered(StopExecutor.class)).isEmpty();
  }

  @Test
  void neverGivesMoreThanItHas() {
    start();
    launch(0, 3);
    launch(1, 2);
    assertThat(ordered(StartExecutor.class)).hasSize(1);
    assertThat(lastExecutor().state()).isEqualTo(ExecutorState.KILLED);
    assertThat(lastExecutor().message())
        .contains("was not started: the worker has only 1 cores and 900 MiB that are free");
    say(new ExecutorEnded("app", 0, Optional.of(0), ""));
    launch(2, 4);
    assertThat(ordered(StartExecutor.class)).hasSize(2);
  }

  @Test
  void directoriesGoOnceTheLastExecutorOfAFinishedApplicationHasEnded() {
    start();
    launch(0, 1);
    launch(1, 1);
    command(stamp -> new ApplicationFinished(stamp, "app"));
    assertThat(ordered(StopExecutor.class)).hasSize(2);
    say(new ExecutorEnded("app", 0, Optional.of(143), ""));
    assertThat(ordered(RemoveApplicationDirectories.class)).isEmpty();
    say(new ExecutorEnded("app", 1, Optional.of(143), ""));
    assertThat(ordered(RemoveApplicationDirectories.class)).hasSize(1);
    command(stamp -> new ApplicationFinished(stamp, "other"));
    assertThat(ordered(RemoveApplicationDirectories.class)).hasSize(2);
  }

  @Test
  void oldDirectoriesOfOthersGoFromTimeToTime() {
    start();
    launch(0, 1);
    launchDriver(false);
    passWithMaster(Duration.ofMinutes(30));
    assertThat(ordered(RemoveOldDirectories.class))
        .containsExactly(
            new RemoveOldDirectories(Duration.ofDays(7), List.of("app"), List.of("d")));
    passWithMaster(Duration.ofMinutes(30));
    assertThat(ordered(RemoveOldDirectories.class)).hasSize(2);
  }

  // drivers

  @Test
  void aDriversEndIsItsExitCode() {
    start();
    launchDriver(false);
    assertThat(lastDriver().state()).isEqualTo(DriverState.RUNNING);
    say(new DriverEnded("d", 1, 1, Optional.of(3), "exited with code 3"));
    assertThat(lastDriver().state()).isEqualTo(DriverState.FAILED);
    assertThat(lastDriver().exitCode()).contains(3);

    command(stamp -> new DriverStateKnown(stamp, "d", 1, DriverState.FAILED));
    command(stamp -> new LaunchDriver(stamp, "d", 2, driver(1, 100, false), Optional.empty()));
    say(new DriverEnded("d", 2, 1, Optional.of(0), ""));
    assertThat(lastDriver().state()).isEqualTo(DriverState.FINISHED);
  }

  @Test
  void aDriversEndIsToldUntilItIsKnown() {
    start();
    launchDriver(false);
    command(stamp -> new DriverStateKnown(stamp, "d", 1, DriverState.RUNNING));
    say(new DriverEnded("d", 1, 1, Optional.of(0), ""));
    pass(Duration.ofSeconds(15));
    assertThat(said(FIRST, DriverStateChanged.class)).hasSize(3);
    say(new LinkLost(FIRST));
    assertThat(lastRegistration(FIRST).drivers())
        .extracting(DriverReport::state)
        .containsExactly(DriverState.FINISHED);
    follow(FIRST);
    command(stamp -> new DriverStateKnown(stamp, "d", 1, DriverState.FINISHED));
    pass(Duration.ofSeconds(15));
    assertThat(said(FIRST, DriverStateChanged.class)).hasSize(3);
  }

  @Test
  void aDriverThatCantBeStartedIsAnErrorEvenIfSupervised() {
    start();
    launchDriver(true);
    say(new DriverEnded("d", 1, 1, Optional.empty(), "no such jar"));
    assertThat(lastDriver().state()).isEqualTo(DriverState.ERROR);
    assertThat(lastDriver().message()).contains("no such jar");
  }

  @Test
  void aSupervisedDriverIsStartedAgainEverMoreSlowly() {
    start();
    launchDriver(true);
    for (int run = 1; run <= 5; run++) {
      say(new DriverEnded("d", 1, run, Optional.of(1), "exited with code 1"));
      assertThat(lastDriver().state()).isEqualTo(DriverState.RUNNING);
      Duration wait = Duration.ofSeconds(1L << (run - 1));
      pass(wait.minusMillis(1));
      assertThat(ordered(StartDriver.class)).hasSize(run);
      pass(Duration.ofMillis(1));
      assertThat(ordered(StartDriver.class)).hasSize(run + 1);
      say(new DriverStarted("d", 1, run + 1));
    }
    assertThat(said(FIRST, DriverStateChanged.class).get(1).driver().message())
        .contains("exited with code 1; run 2 starts in 1 s");
  }

  @Test
  void aDriverThatRunsAgainHasNoExitCode() {
    start();
    launchDriver(true);
    say(new DriverEnded("d", 1, 1, Optional.of(3), ""));
    assertThat(lastDriver().exitCode()).contains(3);
    pass(Duration.ofSeconds(1));
    say(new DriverStarted("d", 1, 2));

    assertThat(lastDriver().state()).isEqualTo(DriverState.RUNNING);
    assertThat(lastDriver().exitCode()).isEmpty();
  }

  @Test
  void aGoodRunEndsTheRow() {
    start();
    launchDriver(true);
    for (int run = 1; run <= 4; run++) {
      say(new DriverEnded("d", 1, run, Optional.of(1), ""));
      pass(Duration.ofSeconds(1L << (run - 1)));
      say(new DriverStarted("d", 1, run + 1));
    }
    pass(Duration.ofMillis(5001));
    say(new DriverEnded("d", 1, 5, Optional.of(1), ""));
    pass(Duration.ofSeconds(1));
    assertThat(ordered(StartDriver.class)).hasSize(6);
  }

  @Test
  void aKilledDriverIsNotStartedAgain() {
    start();
    launchDriver(true);
    command(stamp -> new KillDriver(stamp, "d", 1));
    assertThat(ordered(StopDriver.class)).hasSize(1);
    say(new DriverEnded("d", 1, 1, Optional.of(143), "killed"));
    assertThat(lastDriver().state()).isEqualTo(DriverState.KILLED);
    pass(Duration.ofSeconds(10));
    assertThat(ordered(StartDriver.class)).hasSize(1);
  }

  @Test
  void aDriverThatWaitsForItsNextRunIsKilledAtOnce() {
    start();
    launchDriver(true);
    say(new DriverEnded("d", 1, 1, Optional.of(1), ""));
    command(stamp -> new KillDriver(stamp, "d", 1));
    assertThat(lastDriver().state()).isEqualTo(DriverState.KILLED);
    pass(Duration.ofSeconds(10));
    assertThat(ordered(StartDriver.class)).hasSize(1);
  }

  @Test
  void theEndOfAnEarlierRunIsNotTheEndOfThisOne() {
    start();
    launchDriver(true);
    say(new DriverEnded("d", 1, 1, Optional.of(1), ""));
    pass(Duration.ofSeconds(1));
    say(new DriverEnded("d", 1, 1, Optional.of(0), ""));
    assertThat(lastDriver().state()).isEqualTo(DriverState.RUNNING);
  }

  // leaving

  @Test
  void aDecommissionedWorkerTakesNothingMoreAndEndsOnceItIsEmpty() {
    start();
    launch(0, 1);
    say(new Decommission());
    assertThat(said(FIRST, WorkerDecommissioning.class)).hasSize(1);
    launch(1, 1);
    assertThat(lastExecutor().state()).isEqualTo(ExecutorState.KILLED);
    assertThat(ordered(EndProcess.class)).isEmpty();
    say(new ExecutorEnded("app", 0, Optional.of(0), ""));
    assertThat(lastExecutor().state()).isEqualTo(ExecutorState.DECOMMISSIONED);
    assertThat(said(FIRST, UnregisterWorker.class)).hasSize(1);
    assertThat(ordered(EndProcess.class)).containsExactly(new EndProcess(Optional.empty()));
  }

  @Test
  void aWorkerThatStopsStopsEverythingAndLeavesItsDriversToTheMaster() {
    start();
    launch(0, 1);
    launchDriver(true);
    say(new Stop());
    assertThat(ordered(StopExecutor.class)).hasSize(1);
    assertThat(ordered(StopDriver.class)).hasSize(1);
    say(new DriverEnded("d", 1, 1, Optional.of(143), ""));
    assertThat(lastDriver().state()).isEqualTo(DriverState.RUNNING);
    assertThat(ordered(EndProcess.class)).isEmpty();
    say(new ExecutorEnded("app", 0, Optional.of(143), ""));
    assertThat(ordered(EndProcess.class)).hasSize(1);
    say(new Start());
    assertThat(said(FIRST, RegisterWorker.class)).hasSize(1);
  }

  @Test
  void aWorkerThatStopsSaysSoBeforeItRefusesAnything() {
    start();
    launch(0, 1);
    say(new Stop());
    assertThat(said(FIRST, WorkerDecommissioning.class)).hasSize(1);
    int before = turn.sentTo(FIRST).size();
    launch(1, 1); // was on its way

    assertThat(turn.sentTo(FIRST).stream().skip(before))
        .hasExactlyElementsOfTypes(WorkerDecommissioning.class, ExecutorStateChanged.class);
    assertThat(lastExecutor().state()).isEqualTo(ExecutorState.KILLED);
  }

  @Test
  void aWorkerThatStopsStaysUntilAMasterHasHeardHowItsDriversEnded() {
    start();
    launchDriver(false);
    say(new LinkLost(FIRST));
    say(new DriverEnded("d", 1, 1, Optional.of(0), ""));
    say(new Stop());
    assertThat(ordered(EndProcess.class)).isEmpty();
    pass(Duration.ofSeconds(9));
    assertThat(lastRegistration(SECOND).drivers())
        .extracting(DriverReport::state)
        .containsExactly(DriverState.FINISHED);
    epoch = 2;
    follow(SECOND);
    long session = lastRegistration(SECOND).session();
    say(new DriverStateKnown(new Stamp(2, session, 2), "d", 1, DriverState.FINISHED));

    assertThat(said(SECOND, UnregisterWorker.class)).hasSize(1);
    assertThat(ordered(EndProcess.class)).containsExactly(new EndProcess(Optional.empty()));
  }

  @Test
  void aWorkerThatStopsDoesNotWaitForAMasterForEver() {
    start();
    launchDriver(false);
    say(new LinkLost(FIRST));
    say(new DriverEnded("d", 1, 1, Optional.of(0), ""));
    say(new Stop());
    pass(Worker.LEAVES_WITHIN);

    assertThat(ordered(EndProcess.class).getLast().failure().orElseThrow())
        .contains("no master has heard how drivers ended: d FINISHED");
  }

  @Test
  void aDriverThatEndsWellWhileItsWorkerStopsHasFinished() {
    start();
    launchDriver(true);
    say(new Stop());
    say(new DriverEnded("d", 1, 1, Optional.of(0), ""));

    assertThat(lastDriver().state()).isEqualTo(DriverState.FINISHED);
  }

  @Test
  void aDecommissionedWorkerGivesSupervisedDriversBackOnceItsExecutorsHaveGone() {
    start();
    launch(0, 1);
    launchDriver(true);
    say(new Decommission());
    assertThat(ordered(StopDriver.class)).isEmpty();
    say(new ExecutorEnded("app", 0, Optional.of(0), ""));
    assertThat(ordered(StopDriver.class)).containsExactly(new StopDriver("d", 1, 1));
    assertThat(ordered(EndProcess.class)).isEmpty();
    say(new DriverEnded("d", 1, 1, Optional.of(143), ""));

    assertThat(lastDriver().state()).as("is lost with its worker").isEqualTo(DriverState.RUNNING);
    assertThat(said(FIRST, UnregisterWorker.class)).hasSize(1);
    assertThat(ordered(EndProcess.class)).containsExactly(new EndProcess(Optional.empty()));
  }

  @Test
  void aDecommissionedWorkerWaitsForDriversThatNobodyWouldStartAgain() {
    start();
    launchDriver(true);
    command(stamp -> new LaunchDriver(stamp, "e", 1, driver(1, 100, false), Optional.empty()));
    say(new DriverStarted("e", 1, 1));
    say(new Decommission());
    assertThat(ordered(StopDriver.class)).containsExactly(new StopDriver("d", 1, 1));
    say(new DriverEnded("d", 1, 1, Optional.of(143), ""));

    assertThat(ordered(EndProcess.class)).isEmpty();
    assertThat(lastRegistration(FIRST).drivers())
        .as("it says at once what is not here any more")
        .extracting(DriverReport::driverId)
        .containsExactly("e");
    follow(FIRST);
    say(new DriverEnded("e", 1, 1, Optional.of(0), ""));
    assertThat(lastDriver().state()).isEqualTo(DriverState.FINISHED);
    assertThat(ordered(EndProcess.class)).as("its master has not heard it yet").isEmpty();
    command(stamp -> new DriverStateKnown(stamp, "e", 1, DriverState.FINISHED));
    assertThat(ordered(EndProcess.class)).hasSize(1);
  }

  @Test
  void tellsWhatItRunsAndTheLastThatEnded() {
    Address asker = new Address("w:1", "questions");
    start();
    for (int id = 0; id < 4; id++) {
      launch(id, 1);
      say(new ExecutorStarted("app", id));
    }
    for (int id = 0; id < 3; id++) {
      say(new ExecutorEnded("app", id, Optional.of(0), ""));
    }
    say(new StatusWanted(asker, "r"));

    WorkerStatus status = said(asker, WorkerStatus.class).getLast();
    assertThat(status.masterUrl()).isEqualTo("spark://first:7077");
    assertThat(status.executors()).extracting(WorkerStatus.Executor::executorId).containsExactly(3);
    assertThat(status.finished())
        .extracting(WorkerStatus.Executor::executorId)
        .containsExactly(2, 1);
    assertThat(status.coresUsed()).isEqualTo(1);
    assertThat(status.memoryUsedMebibytes()).isEqualTo(100);
  }
}
