package io.kiln.scheduler.allocation;

import static io.kiln.scheduler.Fixtures.ADDRESSES;
import static io.kiln.scheduler.Fixtures.DAG;
import static io.kiln.scheduler.Fixtures.TASKS;
import static io.kiln.scheduler.Fixtures.WATCHER;
import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.RecordedTurn;
import io.kiln.protocol.ExecutorExitCode;
import io.kiln.scheduler.StatusEvent;
import io.kiln.scheduler.StatusEvent.ExecutorAdded;
import io.kiln.scheduler.StatusEvent.ExecutorRemoved;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorDecommissioned;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorLaunching;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorLeaves;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorRegistered;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorsUnwanted;
import io.kiln.scheduler.allocation.AllocationMessage.Heartbeat;
import io.kiln.scheduler.allocation.AllocationMessage.LaunchFailed;
import io.kiln.scheduler.allocation.AllocationMessage.LinkLost;
import io.kiln.scheduler.allocation.AllocationMessage.ManagerGaveUp;
import io.kiln.scheduler.allocation.AllocationMessage.ManagerSaid;
import io.kiln.scheduler.allocation.AllocationMessage.ProcessExited;
import io.kiln.scheduler.allocation.AllocationMessage.TargetChanged;
import io.kiln.scheduler.allocation.AllocationMessage.TargetRaised;
import io.kiln.scheduler.allocation.AllocationMessage.TasksStarving;
import io.kiln.scheduler.allocation.ExecutorExit.Exited;
import io.kiln.scheduler.allocation.ExecutorExit.MemoryLimitExceeded;
import io.kiln.scheduler.allocation.ExecutorExit.TakenAway;
import io.kiln.scheduler.allocation.LaunchRequest.ReleaseExecutor;
import io.kiln.scheduler.allocation.LaunchRequest.RequestExecutors;
import io.kiln.scheduler.allocation.LaunchRequest.StopExecutor;
import io.kiln.scheduler.dag.DagMessage.FailAllJobs;
import io.kiln.scheduler.task.TaskMessage;
import io.kiln.scheduler.task.TaskMessage.ExecutorGone;
import io.kiln.scheduler.task.TaskMessage.ExecutorUnreachable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The machine alone: a message in, effects out; timers fire when the test lets time pass.
class ExecutorAllocatorTest {
  private static final Address LAUNCHER = new Address("driver", "launcher");
  private static final Address EXECUTOR = new Address("executor", "executor");

  private static final ManagerTraits MASTER = new ManagerTraits(Duration.ofSeconds(3), true);

  private final RecordedTurn turn = new RecordedTurn();
  private final ExecutorRoster roster = new ExecutorRoster(1_000);
  private final List<String> launched = new ArrayList<>();

  /// Whether the launcher says at once what it starts; otherwise it waits for room.
  private boolean hasRoom;

  private int heard;
  private ExecutorAllocator allocator = allocator(AllocationOptions.DEFAULT);

  // a manager that names executors and replaces those that fail

  /// As a standalone master.
  private void serveByMaster() {
    allocator = allocator(AllocationOptions.DEFAULT.withManager(MASTER));
  }

  @Test
  void untilSomebodySaysHowManyNoneIsAskedForAndNoneIsTooMany() {
    serveByMaster();
    register("7");
    tell(new ExecutorLaunching("9"));

    assertThat(turn.sentTo(LAUNCHER)).isEmpty();
    want(ExecutorTarget.NO_LIMIT);
    assertThat(requests())
        .containsExactly(
            new RequestExecutors(
                ExecutorTarget.of(ExecutorTarget.NO_LIMIT), ExecutorTarget.NO_LIMIT, Set.of()));
    assertThat(stopped()).isEmpty();
  }

  @Test
  void eachThatTheManagerGivesIsTakenOnce() {
    serveByMaster();
    want(ExecutorTarget.NO_LIMIT);
    tell(new ExecutorLaunching("7"));
    register("7");
    register("9"); // faster than the news of it
    tell(new ExecutorLaunching("9"));

    assertThat(stopped()).isEmpty();
    assertThat(turn.sentTo(TASKS)).hasSize(2);

    tell(new ProcessExited("7", new Exited(1)));
    tell(new ExecutorLaunching("7"));
    register("7");
    assertThat(turn.sentTo(LAUNCHER))
        .endsWith(new StopExecutor("7", "it is not expected any more", false));
    assertThat(turn.sentTo(TASKS)).hasSize(3);
  }

  @Test
  void aGivenOneThatNeverComesIsGivenBack() {
    serveByMaster();
    tell(new ExecutorLaunching("7"));
    pass(AllocationOptions.DEFAULT.startTimeout());

    assertThat(stopped()).containsExactly("7");
  }

  @Test
  void whatFailsIsLeftToTheManagerThatReplacesIt() {
    serveByMaster();
    want(2);
    for (int id = 0; id < 50; id++) {
      tell(new LaunchFailed(Integer.toString(id), "no space"));
    }

    assertThat(requests()).extracting(RequestExecutors::now).containsOnly(2);
    assertThat(turn.sentTo(DAG)).isEmpty();
  }

  @Test
  void aLinkIsLostForAsLongAsTheManagerMayTakeToSayWhy() {
    serveByMaster();
    want(1);
    register("7");
    tell(new LinkLost("7", 1, "connection reset"));
    pass(MASTER.reasonTimeout().minusMillis(1));
    assertThat(turn.sentTo(TASKS, ExecutorGone.class)).isEmpty();

    pass(Duration.ofMillis(1));
    assertThat(turn.sentTo(TASKS, ExecutorGone.class)).hasSize(1);
  }

  @Test
  void whatTheManagerSaysIsSaidWhereTasksStarveAndEndsTheJobsWhenItGivesUp() {
    serveByMaster();
    want(ExecutorTarget.NO_LIMIT);
    tell(new ManagerSaid("no worker has 8 cores"));
    tell(new TasksStarving(1));
    pass(Duration.ofSeconds(15));
    assertThat(turn.sentTo(WATCHER))
        .containsExactly(
            new StatusEvent.Warning(
                "1 task has waited for 15 s, and none runs: as many executors as can be had are"
                    + " wanted, 0 are registered with 0 slots, 0 are starting, none has failed; the"
                    + " cluster manager says: no worker has 8 cores"));

    tell(new ManagerGaveUp("it was killed"));
    tell(new ManagerGaveUp("again"));
    assertThat(turn.sentTo(DAG)).containsExactly(new FailAllJobs("it was killed", true));
    assertThat(requests().getLast().target().executors()).isZero();
  }

  // what the application wants

  @Test
  void whatIsAskedForIsWhatIsWantedNowAndWhere() {
    ExecutorTarget target =
        new ExecutorTarget(3, ExecutorTarget.DEFAULT_PROFILE, List.of("near"), List.of("bad"));
    tell(new TargetChanged(target));

    assertThat(requests()).containsExactly(new RequestExecutors(target, 3, Set.of()));
  }

  @Test
  void aTargetIsRaisedByANumberAndNoLimitStaysNone() {
    want(2);
    tell(new TargetRaised(3));
    assertThat(launched()).hasSize(5);

    want(ExecutorTarget.NO_LIMIT);
    tell(new TargetRaised(3));
    assertThat(requests().getLast().target().isLimited()).isFalse();
  }

  @Test
  void thoseThatAreUnwantedEndAndNobodyTakesTheirPlaces() {
    up(3);
    tell(new ExecutorsUnwanted(List.of("1", "1", "8")));
    assertThat(stopped()).containsExactly("1");
    tell(new ProcessExited("1", new Exited(143)));

    assertThat(launched()).hasSize(3);
    assertThat(requests().getLast().target().executors()).isEqualTo(2);
    assertThat(turn.sentTo(TASKS))
        .endsWith(new ExecutorGone("1", 1, "is not wanted any more", false));
    tell(new TargetRaised(1));
    assertThat(launched()).hasSize(4);
  }

  @Test
  void whereThereWasNoLimitThereIsOneOnceSomeAreUnwanted() {
    serveByMaster();
    want(ExecutorTarget.NO_LIMIT);
    register("4");
    register("5");
    tell(new ExecutorsUnwanted(List.of("5")));

    assertThat(requests().getLast().target().executors()).isEqualTo(1);
    assertThat(stopped()).containsExactly("5");
  }

  @Test
  void aLowerNumberIsAskedForBeforeThoseThatAreTooManyAreStopped() {
    up(2);
    want(1);
    List<Message> said = turn.sentTo(LAUNCHER);
    assertThat(said.get(said.size() - 2)).isInstanceOf(RequestExecutors.class);
    assertThat(said.getLast()).isInstanceOf(StopExecutor.class);
  }

  // what should be

  @Test
  void whatIsMissingIsAskedForOnce() {
    want(2);
    want(2);
    want(3);

    assertThat(launched()).containsExactly("0", "1", "2");
  }

  @Test
  void anExecutorThatComesIsToldOnce() {
    want(1);
    register("0");
    register("0");

    assertThat(turn.sentTo(TASKS))
        .containsExactly(new TaskMessage.ExecutorRegistered("0", 1, EXECUTOR, "host", 4));
    assertThat(turn.sentTo(WATCHER)).containsExactly(new ExecutorAdded("0", "host", 4));
    assertThat(turn.sentTo(LAUNCHER)).hasSize(1);
  }

  @Test
  void ofTooManyThoseGoFirstThatHaveNotComeAndThenTheYoungest() {
    hasRoom = true;
    want(4);
    register("1");
    register("3");
    want(2);
    assertThat(stopped()).containsExactlyInAnyOrder("0", "2");

    want(1);
    assertThat(stopped()).endsWith("3");
    assertThat(turn.sentTo(TASKS))
        .endsWith(new ExecutorGone("3", 1, "is not needed any more", false));
  }

  @Test
  void anExecutorThatIsNotExpectedAnyMoreIsStopped() {
    hasRoom = true;
    tell(new Heartbeat("7", 1));
    want(1);
    want(0);
    register("0");
    tell(new Heartbeat("0", 1));

    assertThat(stopped()).containsExactly("7", "0", "0", "0");
    assertThat(turn.sentTo(TASKS)).isEmpty();
  }

  @Test
  void anotherProcessUnderAnIdThatIsTakenCostsBothTheirPlace() {
    up(1);
    tell(new ExecutorRegistered("0", 2, EXECUTOR, "host", 4));

    assertThat(turn.sentTo(TASKS, ExecutorGone.class)).hasSize(1);
    assertThat(stopped()).containsExactly("0");
    assertThat(launched()).containsExactly("0", "1");
  }

  // what goes wrong at the start

  @Test
  void anExecutorThatDoesNotRegisterInTimeIsStoppedAndReplaced() {
    want(1);
    tell(new ExecutorLaunching("0"));
    pass(Duration.ofSeconds(59));
    assertThat(stopped()).isEmpty();

    pass(Duration.ofSeconds(1));
    register("0");
    assertThat(stopped()).containsExactly("0", "0");
    assertThat(launched()).containsExactly("0", "1");
    assertThat(warnings()).containsExactly("executor 0 did not register within 60 s");
    assertThat(turn.sentTo(TASKS)).isEmpty();
  }

  @Test
  void aRequestMayWaitForRoomForAsLongAsItMust() {
    want(1);
    pass(Duration.ofHours(10));
    register("0");

    assertThat(turn.sentTo(TASKS, TaskMessage.ExecutorRegistered.class)).hasSize(1);
    assertThat(stopped()).isEmpty();
  }

  @Test
  void theFirstFailuresAreMadeGoodAtOnceAndLaterOnesEverMoreSlowly() {
    allocator = allocator(AllocationOptions.DEFAULT.withMaxFailures(100));
    want(1);
    for (int id = 0; id < 2; id++) {
      tell(new LaunchFailed(Integer.toString(id), "no space"));
    }
    assertThat(launched()).containsExactly("0", "1", "2");

    long waited = 1;
    for (int id = 2; id < 12; id++) {
      tell(new LaunchFailed(Integer.toString(id), "no space"));
      pass(Duration.ofSeconds(waited).minusMillis(1));
      assertThat(launched()).as("after %d s", waited).hasSize(id + 1);
      pass(Duration.ofMillis(1));
      assertThat(launched()).hasSize(id + 2);
      waited = Math.min(60, waited * 2);
    }
  }

  @Test
  void afterManyFailuresOneGoesAheadAndTheOthersFollowWhenItHasCome() {
    want(4);
    for (int id = 0; id < 4; id++) {
      tell(new LaunchFailed(Integer.toString(id), "no space"));
    }
    int before = launched().size();
    for (int id = 4; id < before; id++) {
      tell(new LaunchFailed(Integer.toString(id), "no space"));
    }
    pass(Duration.ofMinutes(1));
    assertThat(launched()).hasSize(before + 1);

    register(launched().getLast());
    assertThat(launched()).hasSize(before + 4);
  }

  @Test
  void whenTooManyHaveFailedAndNoneIsLeftTheJobsFailForGood() {
    want(1);
    tell(new LaunchFailed("0", "no space"));
    tell(new ExecutorLaunching("1"));
    tell(new ProcessExited("1", new Exited(1)));
    tell(new ProcessExited("2", new Exited(52)));

    FailAllJobs failed = turn.sentTo(DAG, FailAllJobs.class).getFirst();
    assertThat(failed.includeFuture()).isTrue();
    assertThat(failed.why())
        .isEqualTo(
            "no executor is left, and 3 have failed, which is the limit"
                + " (spark.executor.maxNumFailures); the last: executor 2 did not register: it ran"
                + " out of memory (exit code 52); see its log, mend that, and start the"
                + " application again");
    assertThat(launched()).hasSize(3);

    pass(Duration.ofHours(1));
    register("2");
    assertThat(launched()).hasSize(3);
    assertThat(stopped()).containsExactly("2");
  }

  @Test
  void anApplicationThatHasExecutorsGoesOn() {
    want(2);
    register("0");
    for (int id = 1; id <= 4; id++) {
      pass(Duration.ofMinutes(1));
      tell(new Heartbeat("0", 1));
      tell(new LaunchFailed(Integer.toString(id), "no space"));
    }
    assertThat(turn.sentTo(DAG)).isEmpty();

    pass(Duration.ofSeconds(1));
    tell(new LinkLost("0", 1, "gone"));
    assertThat(turn.sentTo(DAG, FailAllJobs.class)).isEmpty();
  }

  @Test
  void failuresThatAreLongAgoDoNotCount() {
    allocator = allocator(AllocationOptions.DEFAULT.withFailuresValidity(Duration.ofMinutes(10)));
    want(1);
    for (int id = 0; id < 20; id++) {
      tell(new LaunchFailed(Integer.toString(id), "no space"));
      pass(Duration.ofMinutes(6));
    }

    assertThat(turn.sentTo(DAG)).isEmpty();
  }

  @Test
  void whatTheClusterTakesAwayIsNobodysFailure() {
    want(1);
    for (int id = 0; id < 10; id++) {
      tell(new ProcessExited(Integer.toString(id), new TakenAway("it was preempted")));
    }

    assertThat(launched()).hasSize(11);
    assertThat(turn.sentTo(DAG)).isEmpty();
  }

  @Test
  void executorsThatComeAndCrashAreFailuresInARow() {
    allocator = allocator(AllocationOptions.DEFAULT.withMaxFailures(100));
    want(1);
    for (int id = 0; id < 4; id++) {
      register(Integer.toString(id));
      tell(new ProcessExited(Integer.toString(id), new Exited(50)));
      assertThat(launched()).hasSize(id < 2 ? id + 2 : id + 1);
      pass(Duration.ofSeconds(id < 2 ? 0 : 1 << (id - 2)));
    }
    assertThat(launched()).hasSize(5);

    register("4");
    pass(Duration.ofMinutes(1));
    tell(new ProcessExited("4", new Exited(50)));
    assertThat(launched()).as("one that had stayed ends the row").hasSize(6);
  }

  @Test
  void executorsThatComeAndAreKilledAreReplacedAtOnce() {
    up(1);
    for (int id = 0; id < 50; id++) {
      tell(new ProcessExited(Integer.toString(id), new Exited(137)));
      register(Integer.toString(id + 1));
    }

    assertThat(launched()).hasSize(51);
    assertThat(turn.sentTo(DAG)).isEmpty();
  }

  // what goes wrong later

  @Test
  void aLostLinkIsToldAtOnceAndItsReasonWhenItIsKnown() {
    up(1);
    tell(new LinkLost("0", 1, "connection reset"));
    assertThat(turn.sentTo(TASKS)).endsWith(new ExecutorUnreachable("0", 1, "connection reset"));
    assertThat(launched()).as("replaced at once").containsExactly("0", "1");

    pass(Duration.ofMillis(200));
    tell(new ProcessExited("0", new Exited(137)));
    String why = "was killed by signal 9 (exit code 137)";
    assertThat(turn.sentTo(TASKS)).endsWith(new ExecutorGone("0", 1, why, false));
    assertThat(turn.sentTo(WATCHER)).contains(new ExecutorRemoved("0", why));
    assertThat(warnings()).containsExactly("executor 0 was lost: it " + why);

    pass(Duration.ofSeconds(5));
    assertThat(turn.sentTo(TASKS, ExecutorGone.class)).hasSize(1);
    assertThat(stopped()).isEmpty();
  }

  @Test
  void aLostLinkOfWhichNobodySaysWhyIsReasonEnoughAfterASecond() {
    up(1);
    tell(new LinkLost("0", 1, "connection reset"));
    pass(Duration.ofSeconds(1));
    tell(new ProcessExited("0", new Exited(143)));

    assertThat(turn.sentTo(TASKS, ExecutorGone.class))
        .containsExactly(new ExecutorGone("0", 1, "lost its link: connection reset", false));
    assertThat(stopped()).containsExactly("0");
  }

  @Test
  void anExecutorThatEndedForWantOfItsLinkKnowsNoBetterReason() {
    up(1);
    tell(new LinkLost("0", 1, "connection reset"));
    tell(new ProcessExited("0", new Exited(56, "the driver is gone")));

    assertThat(turn.sentTo(TASKS))
        .endsWith(new ExecutorGone("0", 1, "lost its link: connection reset", false));
  }

  @Test
  void whatRanInAnExecutorIsToBlameWhereItEndedByItself() {
    List<ExecutorExit> exits =
        List.of(
            new Exited(0),
            new Exited(50),
            new Exited(52),
            new Exited(139),
            new MemoryLimitExceeded("1.2 GB of 1 GB"),
            new Exited(56),
            new Exited(129),
            new Exited(137),
            new Exited(143),
            new TakenAway("its node is gone"));
    allocator = allocator(AllocationOptions.DEFAULT.withMaxFailures(100));
    want(1);
    for (int id = 0; id < exits.size(); id++) {
      register(Integer.toString(id));
      tell(new ProcessExited(Integer.toString(id), exits.get(id)));
      pass(Duration.ofMinutes(1));
    }

    assertThat(turn.sentTo(TASKS, ExecutorGone.class))
        .extracting(ExecutorGone::byTasks)
        .containsExactly(true, true, true, true, true, false, false, false, false, false);
    assertThat(turn.sentTo(TASKS, ExecutorGone.class))
        .extracting(ExecutorGone::why)
        .contains(
            "ended by itself (exit code 0)",
            "ran out of memory (exit code 52)",
            "was killed by signal 11 (exit code 139)",
            "used more memory than its container may: 1.2 GB of 1 GB",
            "was taken away: its node is gone");
  }

  @Test
  void aSilentExecutorIsLostAndStopped() {
    up(1);
    for (int i = 0; i < 10; i++) {
      pass(Duration.ofSeconds(100));
      tell(new Heartbeat("0", 1));
    }
    assertThat(turn.sentTo(TASKS, ExecutorGone.class)).isEmpty();

    pass(Duration.ofMinutes(2));
    tell(new Heartbeat("0", 1));
    assertThat(turn.sentTo(TASKS))
        .endsWith(new ExecutorGone("0", 1, "sent no heartbeat for 120 s", false));
    assertThat(stopped()).as("and again when it speaks").containsExactly("0", "0");
    assertThat(launched()).containsExactly("0", "1");
  }

  @Test
  void whatSpeaksOfAnotherIncarnationIsStale() {
    up(1);
    tell(new LinkLost("0", 7, "late"));
    pass(Duration.ofSeconds(119));
    tell(new Heartbeat("0", 7));
    pass(Duration.ofSeconds(1));

    assertThat(turn.sentTo(TASKS))
        .endsWith(new ExecutorGone("0", 1, "sent no heartbeat for 120 s", false));
  }

  // tasks that wait

  @Test
  void tasksThatStarveAreToldOfWithTheNumbersAndAgainEveryMinute() {
    want(3);
    tell(new TasksStarving(12));
    tell(new ExecutorLaunching("0"));
    tell(new LaunchFailed("1", "no space"));
    pass(Duration.ofSeconds(14));
    tell(new TasksStarving(7));
    assertThat(starvation()).isEmpty();

    pass(Duration.ofSeconds(1));
    assertThat(starvation())
        .containsExactly(
            "7 tasks have waited for 15 s, and none runs: 3 executors are wanted, 0 are registered"
                + " with 0 slots, 1 are starting, 2 are missing, 1 have failed, the last:"
                + " executor 1 could not be launched: no space");
    pass(Duration.ofMinutes(1));
    pass(Duration.ofMinutes(1));
    assertThat(starvation()).hasSize(3);

    tell(new TasksStarving(0));
    pass(Duration.ofMinutes(10));
    assertThat(starvation()).hasSize(3);
    assertThat(turn.sentTo(DAG)).isEmpty();
  }

  @Test
  void jobsThatStarveForTooLongFailWhereThereIsALimit() {
    allocator = allocator(AllocationOptions.DEFAULT.withResourcesTimeout(Duration.ofSeconds(90)));
    tell(new TasksStarving(1));
    pass(Duration.ofSeconds(90));

    FailAllJobs failed = turn.sentTo(DAG, FailAllJobs.class).getFirst();
    assertThat(failed.includeFuture()).isFalse();
    assertThat(failed.why()).startsWith("1 task has waited for 90 s, and none runs: 0 executors");
  }

  private static ExecutorAllocator allocator(AllocationOptions options) {
    return new ExecutorAllocator(ADDRESSES, LAUNCHER, options);
  }

  private void want(int executors) {
    tell(new TargetChanged(ExecutorTarget.of(executors)));
  }

  private void tell(AllocationMessage message) {
    switch (message) {
      case ProcessExited(String id, ExecutorExit _) -> roster.remove(id);
      case LaunchFailed(String id, String _) -> roster.remove(id);
      default -> {}
    }
    allocator.handle(message, turn);
    launch();
  }

  /// As a launcher does.
  private void launch() {
    List<LaunchRequest> said = turn.sentTo(LAUNCHER, LaunchRequest.class);
    while (heard < said.size()) {
      switch (said.get(heard++)) {
        case RequestExecutors request -> {
          List<String> missing = roster.fill(request);
          launched.addAll(missing);
          if (hasRoom) {
            missing.forEach(id -> tell(new ExecutorLaunching(id)));
          }
        }
        case StopExecutor(String id, String _, boolean _) -> roster.remove(id);
        case ReleaseExecutor(String id, String _) -> roster.remove(id);
      }
    }
  }

  private void register(String id) {
    tell(new ExecutorRegistered(id, 1, EXECUTOR, "host", 4));
  }

  /// So many executors are wanted and there.
  private void up(int executors) {
    want(executors);
    for (int id = 0; id < executors; id++) {
      register(Integer.toString(id));
    }
  }

  private void pass(Duration time) {
    turn.pass(time, message -> tell((AllocationMessage) message));
  }

  private List<String> launched() {
    return launched;
  }

  private List<RequestExecutors> requests() {
    return turn.sentTo(LAUNCHER, RequestExecutors.class);
  }

  private List<String> stopped() {
    return turn.sentTo(LAUNCHER, StopExecutor.class).stream()
        .map(StopExecutor::executorId)
        .toList();
  }

  private List<String> warnings() {
    return turn.sentTo(WATCHER, StatusEvent.Warning.class).stream()
        .map(StatusEvent.Warning::text)
        .toList();
  }

  private List<String> starvation() {
    return warnings().stream().filter(text -> text.contains("none runs")).toList();
  }

  // decommissioning

  @Test
  void oneThatIsToGoIsReplacedAtOnceAndItsEndIsNoFailure() {
    want(1);
    register("0");
    tell(new ExecutorDecommissioned("0", "its node goes"));
    tell(new ExecutorDecommissioned("0", "its node goes"));

    assertThat(turn.sentTo(TASKS, TaskMessage.ExecutorDecommissioned.class))
        .containsExactly(new TaskMessage.ExecutorDecommissioned("0", 1));
    assertThat(launched()).containsExactly("0", "1");

    tell(new ExecutorLeaves("0", 1));
    tell(new LinkLost("0", 1, "closed"));
    tell(new ProcessExited("0", new Exited(0)));
    assertThat(turn.sentTo(TASKS))
        .endsWith(new ExecutorGone("0", 1, "has moved what it had, and left", false));
    assertThat(turn.sentTo(LAUNCHER, ReleaseExecutor.class))
        .containsExactly(new ReleaseExecutor("0", "it has moved what it had, and left"));
    assertThat(stopped()).isEmpty();
  }

  @Test
  void oneThatCrashesWhileItIsToGoBlamesNobody() {
    want(2);
    register("0");
    register("1");
    tell(new ExecutorDecommissioned("0", "its node goes"));
    tell(new ProcessExited("0", new Exited(ExecutorExitCode.OUT_OF_MEMORY)));
    tell(new ExecutorDecommissioned("1", "its node goes"));
    tell(new LinkLost("1", 1, "reset"));
    tell(new ProcessExited("1", new Exited(ExecutorExitCode.OUT_OF_MEMORY)));

    assertThat(turn.sentTo(TASKS, ExecutorGone.class)).hasSize(2).noneMatch(ExecutorGone::byTasks);
  }

  @Test
  void oneThatHasNotComeNeedsNotComeAnyMore() {
    want(1);
    tell(new ExecutorLaunching("0"));
    tell(new ExecutorDecommissioned("0", "its node goes"));

    assertThat(stopped()).containsExactly("0");
    assertThat(launched()).containsExactly("0", "1");
  }

  @Test
  void oneThatTakesTooLongToGoIsStopped() {
    Duration most = Duration.ofMinutes(1);
    allocator = allocator(AllocationOptions.DEFAULT.withLeaveTimeout(most));
    want(1);
    register("0");
    tell(new ExecutorDecommissioned("0", "its node goes"));
    pass(most);

    assertThat(stopped()).containsExactly("0");
    assertThat(turn.sentTo(TASKS, ExecutorGone.class).getLast())
        .satisfies(
            gone -> {
              assertThat(gone.byTasks()).isFalse();
              assertThat(gone.why()).contains("spark.executor.decommission.forceKillTimeout");
            });
  }
}
