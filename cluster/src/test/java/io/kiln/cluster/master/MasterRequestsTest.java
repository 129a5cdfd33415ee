package io.kiln.cluster.master;

import static io.kiln.cluster.Descriptions.application;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kiln.cluster.master.MasterEntry.ApplicationEntry;
import io.kiln.cluster.protocol.ExecutorRequest;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.FromApplication.KillExecutors;
import io.kiln.cluster.protocol.FromApplication.RegisterApplication;
import io.kiln.cluster.protocol.FromApplication.RequestExecutors;
import io.kiln.cluster.protocol.ToApplication.WaitingForResources;
import io.kiln.cluster.protocol.ToWorker.KillExecutor;
import io.kiln.cluster.protocol.ToWorker.LaunchExecutor;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// How many executors an application asks for, and where.
class MasterRequestsTest {
  private final MasterUnderTest master = MasterUnderTest.alive();

  private List<Integer> launchedOn(String worker) {
    return master.launches(worker).stream().map(LaunchExecutor::executorId).toList();
  }

  private ExecutorRequest kept() {
    return master.entries().stream()
        .filter(ApplicationEntry.class::isInstance)
        .map(ApplicationEntry.class::cast)
        .map(ApplicationEntry::request)
        .findFirst()
        .orElseThrow();
  }

  // how many

  @Test
  void aTotalIsHonouredFromTheStart() {
    master.worker("a", 8, 1000);
    ask(3, List.of(), List.of());

    assertThat(launchedOn("a")).hasSize(3);
  }

  @Test
  void moreComeAsWorkersHaveRoom() {
    master.worker("a", 2, 1000);
    master.application(1, application(0, 1, 100));
    master.request(1, 5);
    assertThat(launchedOn("a")).hasSize(2);

    master.worker("b", 8, 1000);
    assertThat(launchedOn("b")).hasSize(3);
  }

  @Test
  void fewerAreThoseThatTheApplicationNames() {
    master.worker("a", 4, 1000);
    String id = master.application(1, application(0, 1, 100));
    master.request(1, 2);
    master.say(new KillExecutors(1, 1, id, List.of(0, 3, 77)));
    assertThat(master.sentToWorker("a", KillExecutor.class))
        .extracting(KillExecutor::executorId)
        .containsExactly(0, 3);
    master.executor("a", master.launches("a").get(0), ExecutorState.KILLED);
    master.executor("a", master.launches("a").get(3), ExecutorState.KILLED);

    assertThat(launchedOn("a")).hasSize(4);
    master.executor("a", master.launches("a").get(1), ExecutorState.EXITED, 0);
    assertThat(launchedOn("a")).as("one that has ended is replaced").hasSize(5);
  }

  // what is stale, and who may ask

  @Test
  void anOlderRequestIsDropped() {
    master.worker("a", 8, 1000);
    master.application(1, application(0, 1, 100));
    master.request(1, 0);
    RequestExecutors old = master.requestOf(1);
    master.request(1, 8);
    master.say(old);
    master.executor("a", master.launches("a").getFirst(), ExecutorState.EXITED, 0);

    assertThat(launchedOn("a")).hasSize(9);
    assertThat(kept().total()).isEqualTo(8);
  }

  @Test
  void nobodyAsksForAnother() {
    master.worker("a", 8, 1000);
    String id = master.application(1, application(4, 1, 100));
    ExecutorRequest more = new ExecutorRequest(9, 1, List.of(), List.of());
    master.say(new RequestExecutors(2, 1, id, more));
    master.say(new RequestExecutors(1, 7, id, more));
    master.say(new RequestExecutors(1, 1, "app-of-nobody", more));

    assertThat(kept()).isEqualTo(ExecutorRequest.first(ExecutorRequest.NO_LIMIT));
  }

  @Test
  void whatNoMasterCouldKeepIsNoRequest() {
    List<String> many = Collections.nCopies(10_001, "host");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ExecutorRequest(1, -1, List.of(), List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ExecutorRequest(-1, 1, List.of(), List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ExecutorRequest(1, 1, many, List.of()))
        .withMessageContaining("10001 hosts");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ExecutorRequest(1, 1, List.of(), List.of("h".repeat(256))));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ExecutorRequest(1, 1, List.of(""), List.of()));
  }

  @Test
  void aRequestIsKeptOnceAndAHeartbeatMakesGoodForOneThatWasLost() {
    master.worker("a", 8, 1000);
    String id = master.application(1, application(0, 1, 100));
    int before = master.turn.persisted.size();
    master.request(1, 3);
    master.say(master.requestOf(1));
    master.applicationHeartbeat(1);

    assertThat(master.turn.persisted).hasSize(before + 1);
    assertThat(kept().total()).isEqualTo(3);
    assertThat(id).isEqualTo(master.registered(1).applicationId());
  }

  @Test
  void theTotalSurvivesAChangeOfTheMaster() {
    master.worker("a", 8, 1000);
    String id = master.application(1, application(0, 1, 100));
    master.request(1, 8);
    master.request(1, 2);
    for (LaunchExecutor launch : List.copyOf(master.launches("a"))) {
      master.executor("a", launch, ExecutorState.EXITED, 0);
    }
    int before = launchedOn("a").size();
    master.replace();
    master.elect();
    master.worker("a", 2, 8, 1000, List.of(), List.of());
    // a registration that left before the last request, and was overtaken
    master.say(
        new RegisterApplication(
            1,
            2,
            Optional.of(id),
            MasterUnderTest.addressOf(1),
            application(0, 1, 100),
            new ExecutorRequest(1, 8, List.of(), List.of())));

    assertThat(launchedOn("a")).hasSize(before + 2);
  }

  @Test
  void aRegistrationBringsTheNewestTotal() {
    master.worker("a", 8, 1000);
    String id = master.application(1, application(0, 1, 100));
    master.request(1, 0);
    for (LaunchExecutor launch : List.copyOf(master.launches("a"))) {
      master.executor("a", launch, ExecutorState.EXITED, 0);
    }
    master.say(
        new RegisterApplication(
            1,
            2,
            Optional.of(id),
            MasterUnderTest.addressOf(1),
            application(0, 1, 100),
            new ExecutorRequest(7, 3, List.of(), List.of())));

    assertThat(launchedOn("a")).hasSize(8 + 3);
    assertThat(kept().number()).isEqualTo(7);
  }

  // where

  /// The application has none yet, and wants so many then.
  private void ask(int total, List<String> wantedHosts, List<String> avoidedHosts) {
    master.applicationAsking(
        1, application(0, 1, 100), new ExecutorRequest(0, total, wantedHosts, avoidedHosts));
  }

  @Test
  void hostsThatAreWantedAreFilledFirst() {
    master.worker("a", 8, 1000);
    master.worker("b", 2, 1000);
    master.worker("c", 4, 1000);
    ask(5, List.of("b", "c", "nowhere"), List.of());
    assertThat(launchedOn("a")).isEmpty();
    assertThat(launchedOn("b")).hasSize(2);
    assertThat(launchedOn("c")).hasSize(3);

    master.request(1, 8, List.of("b", "c"), List.of());
    assertThat(launchedOn("c")).hasSize(4);
    assertThat(launchedOn("a")).as("what has no room there comes elsewhere").hasSize(2);
  }

  @Test
  void coresAreNotGivenTwiceWhereHostsAreWanted() {
    master.worker("a", 8, 1000);
    master.worker("b", 2, 1000);
    master.applicationAsking(
        1, application(6, 0, 100), new ExecutorRequest(0, 5, List.of("b"), List.of()));

    assertThat(master.launches("b")).extracting(LaunchExecutor::cores).containsExactly(2);
    assertThat(master.launches("a")).extracting(LaunchExecutor::cores).containsExactly(4);
  }

  @Test
  void hostsThatAreAvoidedGiveNothingAndWhatIsThereStays() {
    master.worker("a", 2, 1000);
    master.worker("bad", 8, 1000);
    master.application(1, application(0, 1, 100));
    assertThat(launchedOn("bad")).hasSize(8);
    master.request(1, ExecutorRequest.NO_LIMIT, List.of(), List.of("bad"));
    assertThat(master.sentToWorker("bad", KillExecutor.class)).isEmpty();
    master.executor("bad", master.launches("bad").getFirst(), ExecutorState.EXITED, 0);
    assertThat(launchedOn("bad")).hasSize(8);

    master.request(1, ExecutorRequest.NO_LIMIT);
    assertThat(launchedOn("bad")).as("once it is avoided no more").hasSize(9);
  }

  @Test
  void whatOneAvoidsTheNextGets() {
    master.worker("bad", 4, 1000);
    ask(2, List.of(), List.of("bad"));
    master.application(2, application(0, 1, 100));

    assertThat(master.launches("bad")).hasSize(4);
    assertThat(master.launches("bad"))
        .extracting(LaunchExecutor::applicationId)
        .containsOnly(master.registered(2).applicationId());
  }

  @Test
  void thatAllWorkersAreAvoidedIsSaid() {
    master.worker("bad", 4, 1000);
    ask(2, List.of("bad"), List.of("bad"));
    master.passWith(Duration.ofSeconds(11), List.of("bad"), List.of(1L));

    assertThat(master.sentToApplication(1, WaitingForResources.class).getFirst().message())
        .isEqualTo(
            "an executor needs 1 core and 100 MiB, but all 1 workers are on hosts that the"
                + " application avoids");
  }
}
