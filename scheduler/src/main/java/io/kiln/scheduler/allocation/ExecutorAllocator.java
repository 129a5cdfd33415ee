package io.kiln.scheduler.allocation;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Turn;
import io.kiln.protocol.ExecutorExitCode;
import io.kiln.scheduler.SchedulerAddresses;
import io.kiln.scheduler.StatusEvent;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorDecommissioned;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorLaunching;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorLeaves;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorRegistered;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorsUnwanted;
import io.kiln.scheduler.allocation.AllocationMessage.Heartbeat;
import io.kiln.scheduler.allocation.AllocationMessage.HeartbeatDue;
import io.kiln.scheduler.allocation.AllocationMessage.LaunchFailed;
import io.kiln.scheduler.allocation.AllocationMessage.LeaveDue;
import io.kiln.scheduler.allocation.AllocationMessage.LinkLost;
import io.kiln.scheduler.allocation.AllocationMessage.ManagerGaveUp;
import io.kiln.scheduler.allocation.AllocationMessage.ManagerSaid;
import io.kiln.scheduler.allocation.AllocationMessage.ProcessExited;
import io.kiln.scheduler.allocation.AllocationMessage.ReasonDue;
import io.kiln.scheduler.allocation.AllocationMessage.RegistrationDue;
import io.kiln.scheduler.allocation.AllocationMessage.RelaunchDue;
import io.kiln.scheduler.allocation.AllocationMessage.ResourcesDue;
import io.kiln.scheduler.allocation.AllocationMessage.TargetChanged;
import io.kiln.scheduler.allocation.AllocationMessage.TargetRaised;
import io.kiln.scheduler.allocation.AllocationMessage.TasksStarving;
import io.kiln.scheduler.allocation.AllocationMessage.WarningDue;
import io.kiln.scheduler.allocation.ExecutorExit.Exited;
import io.kiln.scheduler.allocation.ExecutorLife.Registered;
import io.kiln.scheduler.allocation.ExecutorLife.Starting;
import io.kiln.scheduler.allocation.ExecutorLife.Unreachable;
import io.kiln.scheduler.allocation.LaunchRequest.ReleaseExecutor;
import io.kiln.scheduler.allocation.LaunchRequest.RequestExecutors;
import io.kiln.scheduler.allocation.LaunchRequest.StopExecutor;
import io.kiln.scheduler.dag.DagMessage.FailAllJobs;
import io.kiln.scheduler.task.TaskMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Sees to it that there are as many executors as there should be, whichever cluster manager starts
/// them.
///
/// It alone owns the number. It is level-triggered: whatever happens changes what is known of the
/// executors, and then the launcher is asked for the number that there should be, and those that
/// are too many are stopped. The launcher starts what is missing, names it, and may take as long as
/// it must; nothing else starts executors.
///
/// ```
///             TargetChanged           too many have failed, or ManagerGaveUp
///  (unasked) ───────────────► asking ───────────────────────────────────────► given up: 0 wanted
///                             │    ▲
///              executors fail │    │ one has come, or stayed
///                             ▼    │
///                         one at a time: what is there, and one more after a while
/// ```
///
/// The task machine hears of an executor once, and of its end once. Whoever talks after its end is
/// stopped. The states of an executor are drawn at [ExecutorLife].
///
/// When executors fail again and again (see [ExecutorFailures]) and none is left, it gives up: the
/// jobs fail, and so will those to come.
public final class ExecutorAllocator implements Machine<AllocationMessage> {
  /// An executor that has stayed for so long is a good one.
  private static final Duration SETTLED = Duration.ofSeconds(60);

  private final SchedulerAddresses addresses;
  private final Address launcher;
  private final AllocationOptions options;
  private final ExecutorFailures failures;
  private final Starvation starvation;

  private final KnownExecutors executors = new KnownExecutors();
  private Optional<ExecutorTarget> target = Optional.empty();
  private Optional<RequestExecutors> asked = Optional.empty();

  /// Whether one has gone since the launcher was asked, whose place it is to fill.
  private boolean hasLostSome;

  private boolean hasGivenUp;
  private String managerSays = "";

  /// @param launcher takes the [LaunchRequest]s
  public ExecutorAllocator(
      SchedulerAddresses addresses, Address launcher, AllocationOptions options) {
    this.addresses = addresses;
    this.launcher = launcher;
    this.options = options;
    this.failures = new ExecutorFailures(options.failuresValidity());
    this.starvation = new Starvation(addresses, options.resourcesTimeout());
  }

  @Override
  public void handle(AllocationMessage message, Turn turn) {
    switch (message) {
      case TargetChanged(ExecutorTarget wanted) -> target = Optional.of(wanted);
      case TargetRaised(int more) -> raise(more);
      case ExecutorsUnwanted(List<String> ids) -> dismiss(ids, turn);
      case ManagerSaid(String text) -> managerSays = text;
      case ManagerGaveUp(String why) -> managerGaveUp(why, turn);
      case ExecutorLaunching(String id) -> exists(id, turn);
      case ExecutorDecommissioned(String id, String why) -> decommission(id, why, turn);
      case ExecutorLeaves leaves -> leave(leaves, turn);
      case LeaveDue(String id) -> leaveDue(id, turn);
      case LaunchFailed(String id, String why) -> {
        exists(id, turn);
        failToStart(id, "could not be launched: " + why, true, turn);
      }
      case RegistrationDue(String id) -> registrationDue(id, turn);
      case ProcessExited(String id, ExecutorExit exit) -> exited(id, exit, turn);
      case ExecutorRegistered registered -> register(registered, turn);
      case Heartbeat heartbeat -> {
        heartbeat(heartbeat, turn);
        return; // which changes nothing, and is most of what comes
      }
      case HeartbeatDue(String id) -> heartbeatDue(id, turn);
      case LinkLost lost -> linkLost(lost, turn);
      case ReasonDue(String id) -> reasonDue(id, turn);
      case RelaunchDue _ -> {} // what is missing is asked for below
      case TasksStarving(int tasks) -> starvation.changed(tasks, turn);
      case WarningDue _ -> starvation.warn(situation(), turn);
      case ResourcesDue _ -> starvation.fail(situation(), turn);
    }
    reconcile(turn);
  }

  // coming

  /// Somebody speaks of it, perhaps before the launcher's news of it are here.
  private void exists(String id, Turn turn) {
    if (executors.begin(id)) {
      startTimer(new RegistrationDue(id), options.startTimeout(), turn);
    }
  }

  private void register(ExecutorRegistered registered, Turn turn) {
    String id = registered.executorId();
    exists(id, turn);
    switch (executors.get(id)) {
      case Starting _ -> {
        executors.change(
            id,
            new Registered(
                registered.incarnation(),
                registered.slots(),
                turn.nowNanos(),
                failures.endRow(),
                false));
        startTimer(new HeartbeatDue(id), options.silenceTimeout(), turn);
        turn.send(
            addresses.tasks(),
            new TaskMessage.ExecutorRegistered(
                id,
                registered.incarnation(),
                registered.address(),
                registered.host(),
                registered.slots()));
        addresses.tellWatchers(
            new StatusEvent.ExecutorAdded(id, registered.host(), registered.slots()), turn);
      }
      case Registered known when known.incarnation() == registered.incarnation() -> {} // told twice
      case Registered known -> {
        lose(id, known, "was replaced by another process of the same id", false, turn);
        stop(id, "its id is taken", false, turn);
      }
      case Unreachable _ -> {} // it is on its way out, and will be stopped
      case null -> stop(id, "it is not expected any more", false, turn);
    }
  }

  private void heartbeat(Heartbeat heartbeat, Turn turn) {
    String id = heartbeat.executorId();
    switch (executors.get(id)) {
      case Registered registered when registered.incarnation() == heartbeat.incarnation() ->
          startTimer(new HeartbeatDue(id), options.silenceTimeout(), turn);
      case null -> stop(id, "it is not expected any more", false, turn);
      default -> {} // not registered yet, or on its way out
    }
  }

  // going

  /// Blocks and outputs are still to be had of one that has come; one that hasn't has nothing.
  private void decommission(String id, String why, Turn turn) {
    switch (executors.get(id)) {
      case Starting _ -> {
        end(id);
        stop(id, "it is not to come, because " + why, false, turn);
      }
      case Registered registered when !registered.leaving() -> {
        executors.change(id, registered.onItsWayOut());
        warn("executor " + id + " takes no more tasks and is to go, because " + why, turn);
        turn.send(
            addresses.tasks(),
            new TaskMessage.ExecutorDecommissioned(id, registered.incarnation()));
        options.leaveTimeout().ifPresent(most -> startTimer(new LeaveDue(id), most, turn));
      }
      case Registered _, Unreachable _ -> {}
      case null -> {} // is gone, or nobody knows it
    }
  }

  private void leave(ExecutorLeaves leaves, Turn turn) {
    String id = leaves.executorId();
    if (executors.get(id) instanceof Registered registered
        && registered.incarnation() == leaves.incarnation()) {
      String why = "has moved what it had, and left";
      remove(id, registered, why, false, turn);
      turn.send(launcher, new ReleaseExecutor(id, "it " + why));
    }
  }

  private void leaveDue(String id, Turn turn) {
    if (executors.get(id) instanceof Registered registered && registered.leaving()) {
      String why =
          "had not left within "
              + seconds(options.leaveTimeout().orElseThrow())
              + " (spark.executor.decommission.forceKillTimeout)";
      lose(id, registered, why, false, turn);
      stop(id, "it " + why, false, turn);
    }
  }

  private void registrationDue(String id, Turn turn) {
    if (executors.isStarting(id)) {
      String why = "did not register within " + seconds(options.startTimeout());
      failToStart(id, why, true, turn);
      stop(id, "it " + why, true, turn);
    }
  }

  private void failToStart(String id, String why, boolean counts, Turn turn) {
    if (!executors.isStarting(id)) {
      return;
    }
    end(id);
    if (counts) {
      failures.add("executor " + id + " " + why, turn.nowNanos());
    }
    warn("executor " + id + " " + why, turn);
  }

  private void heartbeatDue(String id, Turn turn) {
    if (executors.get(id) instanceof Registered registered) {
      String why = "sent no heartbeat for " + seconds(options.silenceTimeout());
      lose(id, registered, why, false, turn);
      stop(id, "it " + why, true, turn);
    }
  }

  /// The tasks' side learns at once that the executor takes no more tasks and that its outputs are
  /// gone; what became of its tasks it learns together with the reason, which decides whether they
  /// count a failure.
  private void linkLost(LinkLost lost, Turn turn) {
    String id = lost.executorId();
    if (executors.get(id) instanceof Registered registered
        && registered.incarnation() == lost.incarnation()) {
      executors.change(id, new Unreachable(registered, "lost its link: " + lost.why()));
      turn.send(
          addresses.tasks(),
          new TaskMessage.ExecutorUnreachable(id, lost.incarnation(), lost.why()));
      startTimer(new ReasonDue(id), options.manager().reasonTimeout(), turn);
    }
  }

  private void reasonDue(String id, Turn turn) {
    if (executors.get(id) instanceof Unreachable(Registered registered, String why)) {
      lose(id, registered, why, false, turn);
      stop(id, "it " + why, true, turn);
    }
  }

  private void exited(String id, ExecutorExit exit, Turn turn) {
    exists(id, turn);
    switch (executors.get(id)) {
      case Starting _ ->
          failToStart(
              id,
              "did not register: it " + exit.describe(),
              !(exit instanceof ExecutorExit.TakenAway),
              turn);
      case Registered registered ->
          lose(id, registered, exit.describe(), exit.isByApplication(), turn);
      case Unreachable(Registered registered, String why) -> {
        boolean knowsNoBetter =
            exit instanceof Exited ended && ended.exitCode() == ExecutorExitCode.DRIVER_LOST;
        lose(id, registered, knowsNoBetter ? why : exit.describe(), exit.isByApplication(), turn);
      }
      case null -> {} // it was told to, or nobody waits for it any more
    }
  }

  private void lose(String id, Registered registered, String why, boolean byItself, Turn turn) {
    boolean byApplication = byItself && !registered.leaving();
    remove(id, registered, why, byApplication, turn);
    boolean stayed = turn.nowNanos() - registered.sinceNanos() >= SETTLED.toNanos();
    if (stayed) {
      failures.forget();
    }
    if (byApplication) {
      if (!stayed) {
        failures.resumeRow(registered.failuresBefore());
      }
      failures.add("executor " + id + " " + why, turn.nowNanos());
    }
    warn("executor " + id + " was lost: it " + why, turn);
  }

  private void remove(
      String id, Registered registered, String why, boolean byApplication, Turn turn) {
    end(id);
    turn.send(
        addresses.tasks(),
        new TaskMessage.ExecutorGone(id, registered.incarnation(), why, byApplication));
    addresses.tellWatchers(new StatusEvent.ExecutorRemoved(id, why), turn);
  }

  private void end(String id) {
    executors.end(id);
    hasLostSome = true;
  }

  private void stop(String id, String why, boolean failed, Turn turn) {
    turn.send(launcher, new StopExecutor(id, why, failed));
  }

  // what should be and what is

  private void raise(int more) {
    int before = target.map(ExecutorTarget::executors).orElse(0);
    int sum = (int) Math.min(ExecutorTarget.NO_LIMIT, (long) before + more);
    target = Optional.of(target.orElse(ExecutorTarget.of(0)).withExecutors(sum));
  }

  /// Where there was no limit, there is one from now on: else others would take their places.
  private void dismiss(List<String> ids, Turn turn) {
    List<String> unwanted = ids.stream().distinct().filter(executors::isExpected).toList();
    ExecutorTarget before = target.orElse(ExecutorTarget.of(0));
    int most = before.isLimited() ? before.executors() : executors.countExpected();
    target = Optional.of(before.withExecutors(Math.max(0, most - unwanted.size())));
    ask(turn);
    unwanted.forEach(id -> dismiss(id, "is not wanted any more", turn));
  }

  private void reconcile(Turn turn) {
    if (target.isEmpty()) {
      return;
    }
    if (!options.manager().replacesFailed()
        && failures.counting(turn.nowNanos()) >= options.maxFailures(wanted())
        && executors.hasNoneCome() // what one that was there may have been good for counts first
        && wanted() > 0) {
      giveUp(turn);
    }
    ask(turn);
    for (int surplus = executors.countExpected() - wanted(); surplus > 0; surplus--) {
      dismiss(executors.chooseLeastLoss().orElseThrow(), "is not needed any more", turn);
    }
  }

  private int wanted() {
    return hasGivenUp ? 0 : target.map(ExecutorTarget::executors).orElse(0);
  }

  /// Asks before those that are too many are stopped, so that nobody takes their places.
  private void ask(Turn turn) {
    ExecutorTarget wanted = target.orElseThrow().withExecutors(wanted());
    Optional<RequestExecutors> request =
        Optional.of(new RequestExecutors(wanted, numberNow(turn), executors.going()));
    if (hasLostSome || !request.equals(asked)) {
      asked = request;
      hasLostSome = false;
      turn.send(launcher, request.get());
    }
  }

  /// How many there should be at present: while executors fail, they come one at a time.
  private int numberNow(Turn turn) {
    int expected = executors.countExpected();
    if (expected >= wanted() || options.manager().replacesFailed() || !failures.isBackingOff()) {
      return wanted();
    }
    if (executors.isAnyStarting()) {
      return expected; // what becomes of that one comes first
    }
    Duration wait = failures.waitLeft(turn.nowNanos());
    if (wait.isPositive()) {
      startTimer(new RelaunchDue(), wait, turn);
      return expected;
    }
    return expected + 1;
  }

  private void dismiss(String id, String why, Turn turn) {
    if (executors.get(id) instanceof Registered registered) {
      remove(id, registered, why, false, turn);
    } else {
      end(id);
    }
    stop(id, "it " + why, false, turn);
  }

  private void giveUp(Turn turn) {
    hasGivenUp = true;
    String why =
        "no executor is left, and "
            + failures.counting(turn.nowNanos())
            + " have failed, which is the limit (spark.executor.maxNumFailures); the last: "
            + failures.last()
            + "; see its log, mend that, and start the application again";
    warn(why, turn);
    turn.send(addresses.dag(), new FailAllJobs(why, true));
  }

  private void managerGaveUp(String why, Turn turn) {
    if (!hasGivenUp) {
      hasGivenUp = true;
      warn(why, turn);
      turn.send(addresses.dag(), new FailAllJobs(why, true));
    }
  }

  // for people

  private String situation() {
    return new Situation(executors.lives(), failures).describe(target, managerSays);
  }

  private void warn(String text, Turn turn) {
    addresses.tellWatchers(new StatusEvent.Warning(text), turn);
  }

  private static String seconds(Duration duration) {
    return duration.toSeconds() + " s";
  }

  /// Under its own name: one timer of a kind and executor. One that is late finds another state.
  private static void startTimer(AllocationMessage due, Duration delay, Turn turn) {
    turn.startTimer(due, delay, due);
  }
}
