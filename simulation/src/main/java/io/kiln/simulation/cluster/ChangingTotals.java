package io.kiln.simulation.cluster;

import static io.kiln.simulation.cluster.ClusterChecks.demand;

import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorsUnwanted;
import io.kiln.scheduler.allocation.AllocationMessage.TargetChanged;
import io.kiln.scheduler.allocation.AllocationMessage.TargetRaised;
import io.kiln.scheduler.allocation.ExecutorTarget;
import io.kiln.simulation.SimulatedWorld;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/// Changes, up and down, what one application wants, and in the end demands that it holds exactly
/// that, or as much of it as the cluster has room for.
final class ChangingTotals {
  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final int MOST_LOOKS = 80;

  /// How often the same executors are seen until they are believed to stay.
  private static final int LOOKS_ALIKE = 2;

  private static final int MOST_WANTED = 40;

  private final SimulatedWorld world;
  private final SplittableRandom random;
  private final AllocatedApplication application;
  private final int executorCores;
  private final int memoryMebibytes;
  private ExecutorTarget settled = ExecutorTarget.of(0);

  /// @param executorCores, memoryMebibytes of each executor of the application
  ChangingTotals(
      SimulatedWorld world,
      SplittableRandom random,
      AllocatedApplication application,
      int executorCores,
      int memoryMebibytes) {
    this.world = world;
    this.random = random;
    this.application = application;
    this.executorCores = executorCores;
    this.memoryMebibytes = memoryMebibytes;
  }

  AllocatedApplication application() {
    return application;
  }

  /// Perhaps wants something else.
  void change(List<String> hosts) {
    switch (random.nextInt(6)) {
      case 0, 1 -> want(anyTarget(hosts));
      case 2 -> tell(new TargetRaised(1 + random.nextInt(3)));
      case 3 ->
          application.held().stream()
              .findFirst()
              .ifPresent(id -> tell(new ExecutorsUnwanted(List.of(Integer.toString(id)))));
      default -> {}
    }
  }

  private ExecutorTarget anyTarget(List<String> hosts) {
    int total = random.nextInt(8) == 0 ? ExecutorTarget.NO_LIMIT : random.nextInt(MOST_WANTED);
    List<String> wanted = random.nextInt(3) == 0 ? List.of(anyOf(hosts)) : List.of();
    List<String> avoided = random.nextInt(3) == 0 ? List.of(anyOf(hosts), anyOf(hosts)) : List.of();
    return new ExecutorTarget(total, ExecutorTarget.DEFAULT_PROFILE, wanted, avoided);
  }

  private String anyOf(List<String> hosts) {
    return hosts.get(random.nextInt(hosts.size()));
  }

  private void want(ExecutorTarget target) {
    tell(new TargetChanged(target));
  }

  private void tell(AllocationMessage message) {
    world.inject(Duration.ZERO, application.allocation(), message);
  }

  /// Wants something that stays.
  void settle() {
    settled = ExecutorTarget.of(random.nextInt(3 * MOST_WANTED));
    want(settled);
  }

  /// It has settled, and nothing goes wrong any more.
  ///
  /// @param workers by host; those that end are replaced while time passes
  /// @param pass lets so much time pass
  void demandTotal(
      Map<String, RunnerDouble> workers, ClusterChecks checks, Consumer<Duration> pass) {
    int wanted = -1;
    int running = -1;
    Set<Integer> before = Set.of();
    int looksAlike = 0;
    for (int look = 0; look < MOST_LOOKS && looksAlike < LOOKS_ALIKE; look++) {
      pass.accept(LOOK);
      wanted = Math.min(settled.executors(), room(workers));
      running = application.id().map(checks::countRunning).orElse(0);
      Set<Integer> held = Set.copyOf(application.held());
      boolean isRight = held.size() == wanted && running == wanted && held.equals(before);
      looksAlike = isRight ? looksAlike + 1 : 0;
      before = held;
    }
    demand(!application.isDead(), application.process() + " died in the calm");
    demand(
        looksAlike == LOOKS_ALIKE,
        settled
            + " is wanted, of which "
            + wanted
            + " fit, but "
            + before.size()
            + " are held and "
            + running
            + " run");
  }

  private int room(Map<String, RunnerDouble> workers) {
    return workers.values().stream()
        .mapToInt(worker -> worker.countFitting(executorCores, memoryMebibytes))
        .sum();
  }
}
