package io.kiln.cluster.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.cluster.Descriptions;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ApplicationDescription.Share;
import io.kiln.cluster.protocol.ClusterStatus;
import io.kiln.cluster.protocol.ClusterStatus.ApplicationStatus;
import io.kiln.cluster.protocol.ClusterStatus.WorkerStatus;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.DriverStatus;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.FromApplication.UnregisterApplication;
import io.kiln.cluster.protocol.FromWorker.UnregisterWorker;
import io.kiln.cluster.protocol.ToWorker.LaunchDriver;
import io.kiln.cluster.protocol.ToWorker.LaunchExecutor;
import io.kiln.cluster.protocol.WorkerState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever has happened, a master has given no more than there is, and nobody waits for what is
/// free.
class MasterRandomEventsTest {
  private static final int EVENTS = 60;

  private final List<String> workers = new ArrayList<>();
  private final Map<Long, ApplicationDescription> wanted = new HashMap<>();
  private final Map<Long, String> applications = new HashMap<>();
  private final Map<String, Integer> limits = new HashMap<>();
  private final List<LaunchExecutor> over = new ArrayList<>();
  private SplittableRandom random;
  private MasterUnderTest master;
  private int waited;

  @ParameterizedTest
  @ValueSource(strings = {"", "a:1,b:2"})
  void nothingIsGivenTwiceAndNothingLiesIdle(String pools) {
    for (long seed = 0; seed < 150; seed++) {
      random = new SplittableRandom(seed);
      master =
          MasterUnderTest.alive(
              "spark.kiln.deploy.pools",
              pools,
              "spark.deploy.spreadOutApps",
              Boolean.toString(random.nextBoolean()));
      workers.clear();
      wanted.clear();
      applications.clear();
      limits.clear();
      over.clear();
      for (int event = 0; event < EVENTS; event++) {
        happen(event, pools);
        check("seed " + seed + ", event " + event);
      }
    }
    assertThat(waited).as("applications that had to wait").isGreaterThan(100);
  }

  private void happen(int event, String pools) {
    switch (random.nextInt(7)) {
      case 0 -> {
        String id = "w" + event;
        workers.add(id);
        master.worker(id, 1 + random.nextInt(8), 100 + random.nextInt(900));
      }
      case 1 -> {
        long incarnation = event;
        String pool = pools.isEmpty() ? "default" : List.of("a", "b").get(random.nextInt(2));
        ApplicationDescription application =
            Descriptions.application(
                random.nextInt(20),
                1 + random.nextInt(3),
                1 + random.nextInt(200),
                new Share(pool, random.nextInt(2)));
        if (application.maxCores().orElse(99) >= application.executorCores().orElseThrow()) {
          wanted.put(incarnation, application);
          applications.put(incarnation, master.application(incarnation, application));
        }
      }
      case 2 -> master.submit(1 + random.nextInt(3), 1 + random.nextInt(300), false);
      case 3 -> {
        if (!applications.isEmpty()) {
          long incarnation = anyApplication();
          int limit = random.nextInt(10);
          limits.put(applications.get(incarnation), limit);
          master.request(incarnation, limit);
        }
      }
      case 4 -> {
        if (!applications.isEmpty() && random.nextBoolean()) {
          long incarnation = anyApplication();
          String id = applications.remove(incarnation);
          master.say(
              new UnregisterApplication(
                  incarnation, 1, id, MasterUnderTest.addressOf(incarnation)));
        }
      }
      case 5 -> endOne();
      default -> {
        if (!workers.isEmpty() && random.nextInt(4) == 0) {
          String id = workers.remove(random.nextInt(workers.size()));
          master.say(new UnregisterWorker(id, 1, 1));
        }
      }
    }
  }

  private long anyApplication() {
    return List.copyOf(applications.keySet()).get(random.nextInt(applications.size()));
  }

  private void endOne() {
    for (String worker : workers) {
      for (LaunchExecutor launch : List.copyOf(master.launches(worker))) {
        if (!over.contains(launch) && random.nextInt(4) == 0) {
          over.add(launch);
          master.executor(worker, launch, ExecutorState.EXITED, 0);
          return;
        }
      }
      List<LaunchDriver> drivers = master.sentToWorker(worker, LaunchDriver.class);
      if (!drivers.isEmpty() && random.nextBoolean()) {
        master.driver(worker, drivers.getFirst(), DriverState.FINISHED);
        return;
      }
    }
  }

  private void check(String when) {
    ClusterStatus cluster = master.cluster();
    for (WorkerStatus worker : cluster.workers()) {
      assertThat(worker.coresUsed()).as(when).isBetween(0, worker.worker().cores());
      assertThat(worker.memoryUsedMebibytes())
          .as(when)
          .isBetween(0, worker.worker().memoryMebibytes());
    }
    for (ApplicationStatus application : cluster.activeApplications()) {
      ApplicationDescription description = application.description();
      int cores = description.executorCores().orElseThrow();
      boolean wantsMore =
          description.maxCores().orElse(Integer.MAX_VALUE) - application.coresGranted() >= cores
              && application.executors().size()
                  < limits.getOrDefault(application.applicationId(), Integer.MAX_VALUE);
      if (wantsMore) {
        waited++;
        assertNoRoom(cluster, cores, description.executorMemoryMebibytes(), when);
      }
    }
    for (DriverStatus driver : cluster.activeDrivers()) {
      if (driver.state() == DriverState.SUBMITTED) {
        int cores = driver.description().cores();
        assertNoRoom(cluster, cores, driver.description().memoryMebibytes(), when);
      }
    }
  }

  private static void assertNoRoom(ClusterStatus cluster, int cores, int memory, String when) {
    assertThat(cluster.workers())
        .as(when)
        .noneMatch(
            worker ->
                worker.state() == WorkerState.ALIVE
                    && worker.worker().cores() - worker.coresUsed() >= cores
                    && worker.worker().memoryMebibytes() - worker.memoryUsedMebibytes() >= memory);
  }
}
