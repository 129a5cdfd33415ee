package io.kiln.cluster.client;

import static io.kiln.cluster.Descriptions.application;
import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.RecordedTurn;
import io.kiln.cluster.client.ClientEvent.LinkLost;
import io.kiln.cluster.client.ClientEvent.Start;
import io.kiln.cluster.client.ClientEvent.Stop;
import io.kiln.cluster.client.ClientNews.Connected;
import io.kiln.cluster.client.ClientNews.Dead;
import io.kiln.cluster.client.ClientNews.Disconnected;
import io.kiln.cluster.client.ClientNews.ExecutorGone;
import io.kiln.cluster.client.ClientNews.ExecutorGranted;
import io.kiln.cluster.client.ClientNews.ExecutorRunning;
import io.kiln.cluster.client.ClientNews.Waiting;
import io.kiln.cluster.client.ClientNews.WorkerGone;
import io.kiln.cluster.protocol.ApplicationState;
import io.kiln.cluster.protocol.ClientMessage;
import io.kiln.cluster.protocol.ExecutorRequest;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.FromApplication.ApplicationHeartbeat;
import io.kiln.cluster.protocol.FromApplication.KillExecutors;
import io.kiln.cluster.protocol.FromApplication.RegisterApplication;
import io.kiln.cluster.protocol.FromApplication.RequestExecutors;
import io.kiln.cluster.protocol.FromApplication.UnregisterApplication;
import io.kiln.cluster.protocol.GrantedExecutor;
import io.kiln.cluster.protocol.MasterChanged;
import io.kiln.cluster.protocol.MasterInStandby;
import io.kiln.cluster.protocol.Stamp;
import io.kiln.cluster.protocol.ToApplication;
import io.kiln.cluster.protocol.ToApplication.ApplicationRemoved;
import io.kiln.cluster.protocol.ToApplication.ExecutorAdded;
import io.kiln.cluster.protocol.ToApplication.ExecutorUpdated;
import io.kiln.cluster.protocol.ToApplication.HeartbeatSeen;
import io.kiln.cluster.protocol.ToApplication.RegisterApplicationFailed;
import io.kiln.cluster.protocol.ToApplication.RegisteredApplication;
import io.kiln.cluster.protocol.ToApplication.WaitingForResources;
import io.kiln.cluster.protocol.ToApplication.WorkerRemoved;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ApplicationClientTest {
  private static final Address FIRST = new Address("first:7077", "master");
  private static final Address SECOND = new Address("second:7077", "master");
  private static final Address SELF = new Address("driver:1", "client");
  private static final Address APPLICATION = new Address("driver:1", "application");

  private final RecordedTurn turn = new RecordedTurn();
  private final ApplicationClient client =
      new ApplicationClient(
          7,
          SELF,
          application(0, 1, 100),
          ExecutorRequest.NO_LIMIT,
          List.of(FIRST, SECOND),
          APPLICATION,
          new ClientOptions(
              Duration.ofSeconds(60),
              Duration.ofSeconds(20),
              3,
              Duration.ofSeconds(2),
              Duration.ofSeconds(10)));
  private long epoch = 1;
  private long number;

  private void say(ClientMessage message) {
    client.handle(message, turn);
  }

  private void pass(Duration time) {
    turn.pass(time, message -> say((ClientMessage) message));
  }

  private <M> List<M> news(Class<M> type) {
    return turn.sentTo(APPLICATION, type);
  }

  private List<RegisterApplication> registrations(Address master) {
    return turn.sentTo(master, RegisterApplication.class);
  }

  private static GrantedExecutor executor(int id) {
    return new GrantedExecutor(id, "w", "w:1", 1, 100);
  }

  private static List<GrantedExecutor> executors(int... ids) {
    return Arrays.stream(ids).mapToObj(ApplicationClientTest::executor).toList();
  }

  private void registered(Address master, boolean complete, int... executorIds) {
    number = 1;
    Stamp stamp = new Stamp(epoch, registrations(master).getLast().session(), number);
    say(
        new RegisteredApplication(
            stamp, "app", master, "spark://master", complete, executors(executorIds)));
  }

  private void start() {
    say(new Start());
    registered(FIRST, true);
  }

  private void told(Function<Stamp, ToApplication> news) {
    say(news.apply(new Stamp(epoch, registrations(FIRST).getLast().session(), ++number)));
  }

  private void added(int id) {
    told(stamp -> new ExecutorAdded(stamp, executor(id)));
  }

  private void updated(int id, ExecutorState state) {
    told(
        stamp ->
            new ExecutorUpdated(stamp, id, state, Optional.of("why"), Optional.empty(), false));
  }

  @Test
  void asksAllMastersThreeTimesAndIsDead() {
    say(new Start());
    pass(Duration.ofSeconds(59));
    assertThat(registrations(FIRST)).hasSize(3);
    assertThat(registrations(SECOND)).hasSize(3);
    assertThat(news(Dead.class)).isEmpty();
    pass(Duration.ofSeconds(1));

    assertThat(news(Dead.class))
        .containsExactly(
            new Dead(
                ApplicationState.FAILED,
                "no master answered within 60 s: first:7077, second:7077; see that one runs, and"
                    + " that spark.master names it"));
  }

  @Test
  void isConnectedOnce() {
    start();
    say(new RegisteredApplication(new Stamp(1, 1, 2), "app", FIRST, "spark://m", true, List.of()));
    pass(Duration.ofSeconds(20));

    assertThat(news(Connected.class)).containsExactly(new Connected("app", "spark://master"));
    assertThat(registrations(FIRST)).hasSize(1);
  }

  @Test
  void anApplicationThatCantBeIsDeadAtOnce() {
    say(new Start());
    say(new RegisterApplicationFailed(1, "one executor would have more cores; raise it"));
    assertThat(news(Dead.class).getFirst().reason())
        .isEqualTo("the master refused it: one executor would have more cores; raise it");
  }

  @Test
  void thatAllMastersAreInStandbyIsSaidAtOnce() {
    say(new Start());
    say(new MasterInStandby(1, "spark://first:7077"));
    assertThat(news(Waiting.class)).isEmpty();
    say(new MasterInStandby(1, "spark://second:7077"));
    assertThat(news(Waiting.class)).hasSize(1);
  }

  @Test
  void whileMastersAreInStandbyItAsksAgainSoonAndThenLessOften() {
    say(new Start());
    int session = 1;
    for (long millis : List.of(250L, 500L, 1_000L, 2_000L)) {
      say(new MasterInStandby(session, "spark://first:7077"));
      pass(Duration.ofMillis(millis - 1));
      assertThat(registrations(FIRST)).hasSize(session);
      pass(Duration.ofMillis(1));
      assertThat(registrations(FIRST)).hasSize(++session);
    }
    say(new MasterInStandby(session, "spark://first:7077"));
    pass(Duration.ofSeconds(60));
    assertThat(news(Dead.class).getFirst().reason()).startsWith("no master answered within 60 s");
  }

  @Test
  void anExecutorIsGrantedOnceAndGoneOnce() {
    start();
    added(0);
    added(0);
    updated(0, ExecutorState.RUNNING);
    updated(0, ExecutorState.RUNNING);
    updated(0, ExecutorState.EXITED);
    updated(0, ExecutorState.EXITED);
    updated(1, ExecutorState.LOST);

    assertThat(news(ExecutorGranted.class)).containsExactly(new ExecutorGranted(executor(0)));
    assertThat(news(ExecutorRunning.class)).hasSize(1);
    assertThat(news(ExecutorGone.class))
        .containsExactly(new ExecutorGone(0, ExecutorState.EXITED, "why", Optional.empty(), false));
  }

  @Test
  void executorsGoOnWithoutAMasterAndAnotherIsFound() {
    start();
    added(0);
    added(1);
    say(new LinkLost(SECOND));
    assertThat(news(Disconnected.class)).isEmpty();
    say(new LinkLost(FIRST));
    assertThat(news(Disconnected.class)).hasSize(1);
    pass(Duration.ofMinutes(5));
    assertThat(news(Dead.class)).isEmpty();
    assertThat(registrations(SECOND).getLast().applicationId()).contains("app");

    epoch = 2;
    registered(SECOND, false, 1);
    assertThat(news(ExecutorGone.class)).isEmpty();
    assertThat(news(Connected.class)).hasSize(2);
    say(
        new RegisteredApplication(
            new Stamp(2, registrations(SECOND).getLast().session(), 2),
            "app",
            SECOND,
            "spark://second",
            true,
            executors(1, 2)));

    assertThat(news(ExecutorGone.class)).extracting(ExecutorGone::executorId).containsExactly(0);
    assertThat(news(ExecutorGranted.class)).hasSize(3);
  }

  @Test
  void oneThatIsGoneDoesNotComeBackButIsKilled() {
    start();
    added(0);
    updated(0, ExecutorState.LOST);
    added(0);
    assertThat(news(ExecutorGranted.class)).hasSize(1);
    assertThat(turn.sentTo(FIRST, KillExecutors.class))
        .extracting(KillExecutors::executorIds)
        .containsExactly(List.of(0));
  }

  @Test
  void aNewMasterIsRegisteredWithAtOnce() {
    start();
    say(new MasterChanged(2, SECOND, "spark://second", ""));
    assertThat(registrations(SECOND)).hasSize(2);
    assertThat(news(Disconnected.class)).isEmpty();
    added(0); // the old master's
    assertThat(news(ExecutorGranted.class)).isEmpty();
  }

  @Test
  void aGapInTheNewsHasItRegisterAgain() {
    start();
    number++;
    added(0);
    assertThat(news(ExecutorGranted.class)).isEmpty();
    assertThat(registrations(FIRST)).hasSize(2);
    registered(FIRST, true, 0);
    assertThat(news(ExecutorGranted.class)).hasSize(1);
    assertThat(news(Connected.class)).hasSize(1);
  }

  @Test
  void heartbeatsSayWhatIsWanted() {
    start();
    added(0);
    say(new ClientEvent.RequestExecutors(5));
    say(new ClientEvent.KillExecutors(List.of(0, 9)));
    assertThat(turn.sentTo(FIRST, RequestExecutors.class).getFirst().request().total())
        .isEqualTo(5);
    assertThat(turn.sentTo(FIRST, KillExecutors.class).getFirst().executorIds()).containsExactly(0);
    pass(Duration.ofSeconds(15));
    ApplicationHeartbeat heartbeat = turn.sentTo(FIRST, ApplicationHeartbeat.class).getFirst();
    assertThat(heartbeat.request().total()).isEqualTo(5);
    assertThat(heartbeat.unwanted()).containsExactly(0);
    assertThat(heartbeat.seen()).isEqualTo(2);
    updated(0, ExecutorState.KILLED);
    say(new HeartbeatSeen(1, 1));
    pass(Duration.ofSeconds(15));
    assertThat(turn.sentTo(FIRST, ApplicationHeartbeat.class).getLast().unwanted()).isEmpty();
  }

  @Test
  void whatIsAskedForBeforeTheMasterAnswersItHearsThen() {
    say(new Start());
    say(new ClientEvent.RequestExecutors(5));
    assertThat(turn.sentTo(FIRST, RequestExecutors.class)).isEmpty();
    registered(FIRST, true);

    assertThat(turn.sentTo(FIRST, RequestExecutors.class))
        .containsExactly(
            new RequestExecutors(7, 1, "app", new ExecutorRequest(1, 5, List.of(), List.of())));
  }

  @Test
  void theSameIsAskedForOnceAndTheNextMasterHearsOfItWithTheRegistration() {
    start();
    say(new ClientEvent.RequestExecutors(5, List.of("near"), List.of("bad")));
    say(new ClientEvent.RequestExecutors(5, List.of("near"), List.of("bad")));
    assertThat(turn.sentTo(FIRST, RequestExecutors.class)).hasSize(1);
    say(new LinkLost(FIRST));
    say(new ClientEvent.RequestExecutors(2));
    say(new MasterChanged(2, SECOND, "spark://second", ""));

    assertThat(registrations(SECOND).getLast().request())
        .isEqualTo(new ExecutorRequest(2, 2, List.of(), List.of()));
    epoch = 2;
    registered(SECOND, true);
    assertThat(turn.sentTo(SECOND, RequestExecutors.class)).isEmpty();
  }

  @Test
  void aSilentMasterIsLookedForElsewhere() {
    start();
    pass(Duration.ofSeconds(80));
    assertThat(news(Disconnected.class)).hasSize(1);
    assertThat(registrations(SECOND).size()).isGreaterThan(1);
  }

  @Test
  void newsOfWorkersAndOfWaitingArePassedOn() {
    start();
    told(stamp -> new WorkerRemoved(stamp, "w", "host", "it was silent"));
    told(stamp -> new WaitingForResources(stamp, "no worker is registered"));
    assertThat(news(WorkerGone.class))
        .containsExactly(new WorkerGone("w", "host", "it was silent"));
    assertThat(news(Waiting.class)).containsExactly(new Waiting("no worker is registered"));
  }

  @Test
  void anApplicationThatIsRemovedIsDeadWithTheReason() {
    start();
    say(new ApplicationRemoved(1, 8, "app", ApplicationState.KILLED, "of another"));
    assertThat(news(Dead.class)).isEmpty();
    say(new ApplicationRemoved(1, 7, "app", ApplicationState.KILLED, "it was killed"));
    say(new ApplicationRemoved(1, 7, "app", ApplicationState.KILLED, "it was killed"));
    assertThat(news(Dead.class))
        .containsExactly(new Dead(ApplicationState.KILLED, "the master removed it: it was killed"));
  }

  @Test
  void anOldMasterCantRemoveIt() {
    epoch = 2;
    start();
    say(new ApplicationRemoved(1, 7, "app", ApplicationState.FAILED, "it was silent"));
    assertThat(news(Dead.class)).isEmpty();
  }

  @Test
  void stopsWithAWordToTheMasterOrWithoutAfterAWhile() {
    start();
    say(new Stop());
    assertThat(turn.sentTo(FIRST, UnregisterApplication.class)).hasSize(1);
    assertThat(news(Dead.class)).isEmpty();
    pass(Duration.ofSeconds(2));
    assertThat(news(Dead.class).getFirst().state()).isEqualTo(ApplicationState.FINISHED);
  }

  @Test
  void looksForAMasterThatHearsThatItIsOver() {
    start();
    say(new LinkLost(FIRST));
    say(new Stop());
    pass(Duration.ofSeconds(9));
    assertThat(news(Dead.class)).isEmpty();
    RegisterApplication again = turn.sentTo(SECOND, RegisterApplication.class).getLast();
    say(
        new RegisteredApplication(
            new Stamp(2, again.session(), 1), "app", SECOND, "", false, List.of()));
    assertThat(turn.sentTo(SECOND, UnregisterApplication.class)).hasSize(1);
    say(new ApplicationRemoved(2, 7, "app", ApplicationState.FINISHED, "it was stopped"));

    assertThat(news(Dead.class)).hasSize(1);
  }

  @Test
  void aMasterThatIsLostAfterTheWordIsLookedForToo() {
    start();
    say(new Stop());
    say(new LinkLost(FIRST));
    pass(Duration.ofSeconds(9));
    assertThat(news(Dead.class)).isEmpty();
    pass(Duration.ofSeconds(1));

    assertThat(news(Dead.class)).hasSize(1);
  }

  @Test
  void stopsAsSoonAsTheMasterKnows() {
    start();
    say(new Stop());
    say(new ApplicationRemoved(1, 7, "app", ApplicationState.FINISHED, "it was stopped"));
    assertThat(news(Dead.class))
        .containsExactly(new Dead(ApplicationState.FINISHED, "it was stopped"));
  }

  @Test
  void anExecutorThatIsToGoIsToldOnce() {
    start();
    added(0);
    told(stamp -> new ToApplication.ExecutorDecommissioned(stamp, 0, "its worker goes"));
    told(stamp -> new ToApplication.ExecutorDecommissioned(stamp, 0, "its worker goes"));
    told(stamp -> new ToApplication.ExecutorDecommissioned(stamp, 1, "its worker goes"));

    assertThat(news(ClientNews.ExecutorDecommissioned.class))
        .containsExactly(new ClientNews.ExecutorDecommissioned(0, "its worker goes"));
  }
}
