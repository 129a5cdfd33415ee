package io.kiln.cluster.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.base.machine.Address;
import io.kiln.cluster.Descriptions;
import io.kiln.cluster.protocol.ApplicationDescription.Share;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.ExecutorRequest;
import io.kiln.cluster.protocol.FromApplication.RegisterApplication;
import io.kiln.cluster.protocol.WorkerDescription;
import io.kiln.cluster.protocol.WorkerState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WaitingQueueTest {
  private static final MasterOptions.WorkerOrder ORDER = MasterOptions.WorkerOrder.CORES_FREE_DESC;
  private static final Address ADDRESS = new Address("here:1", "it");

  private final WaitingQueue queue = new WaitingQueue(Workers.order(ORDER));
  private final Workers workers = new Workers(ORDER, queue);
  private long applications;

  private DriverNode driver(String id) {
    DriverNode driver =
        new DriverNode(id, "request of " + id, Descriptions.driver(1, 1, true), Instant.EPOCH);
    queue.update(driver);
    return driver;
  }

  private ApplicationNode application(String pool, int priority) {
    long number = applications++;
    ApplicationNode application =
        new ApplicationNode(
            MasterEntry.ApplicationEntry.first(
                "app-" + number,
                new RegisterApplication(
                    number,
                    1,
                    Optional.empty(),
                    ADDRESS,
                    Descriptions.application(8, 1, 1, new Share(pool, priority)),
                    ExecutorRequest.first(ExecutorRequest.NO_LIMIT)),
                Instant.EPOCH),
            8,
            number);
    application.setSession(new PeerSession(ADDRESS, 1, 0));
    queue.update(application, 0);
    return application;
  }

  private WorkerNode worker(String id, int cores) {
    WorkerNode worker =
        new WorkerNode(
            id, 1, new WorkerDescription(ADDRESS, id, 1, cores, 100, ""), workers.nextOrder());
    workers.add(worker);
    workers.change(worker, WorkerState.ALIVE, new PeerSession(ADDRESS, 1, 0));
    return worker;
  }

  @Test
  void driversGoInTheOrderInWhichTheyBeganToWait() {
    DriverNode first = driver("first");
    DriverNode second = driver("second");
    first.launch("w");
    queue.update(first);
    first.waitAgain(DriverState.RELAUNCHING, "its worker is lost");
    queue.update(first);

    assertThat(queue.driversToTry()).containsExactly(second, first);
    assertThat(queue.waitingDrivers()).isEqualTo(2);
  }

  @Test
  void whoWasTriedIsTriedAgainOnlyWithWorkersThatGotMoreRoomSince() {
    WorkerNode small = worker("small", 2);
    WorkerNode large = worker("large", 4);
    WorkerNode full = worker("full", 1);
    DriverNode driver = driver("driver");
    ApplicationNode application = application("pool", 0);
    queue.markTried(driver);
    queue.endRound();
    assertThat(queue.driversToTry()).isEmpty();
    assertThat(queue.hasApplicationsToTry()).isFalse();
    assertThat(queue.next("pool", Optional.empty())).isEmpty();

    ExecutorGrant.Key key = new ExecutorGrant.Key("other", 1);
    workers.occupy(new ExecutorGrant(key, full, 1, 1));
    queue.roomChanged(full, true);
    queue.roomChanged(small, true);
    queue.roomChanged(large, true);

    assertThat(queue.driversToTry()).containsExactly(driver);
    assertThat(queue.isUntried(driver)).isFalse();
    assertThat(queue.next("pool", Optional.empty())).contains(application);
    assertThat(queue.isUntried(application)).isFalse();
    assertThat(queue.grownWorkers()).containsExactly(large, small);
  }

  @Test
  void whoWantsSomethingElseIsTriedWithAllWorkers() {
    ApplicationNode application = application("pool", 0);
    queue.endRound();

    queue.update(application, 0);

    assertThat(queue.hasApplicationsToTry()).isTrue();
    assertThat(queue.isUntried(application)).isTrue();
  }

  @Test
  void aDriverThatIsHeldBackIsTriedWithAllWorkersLater() {
    DriverNode driver = driver("driver");
    queue.markTried(driver);

    queue.holdBack(driver);
    queue.endRound();

    assertThat(queue.isUntried(driver)).isTrue();
  }

  @Test
  void eachPoolHasItsLineAndInItTheHigherPriorityGoesFirst() {
    ApplicationNode low = application("a", 0);
    ApplicationNode high = application("a", 1);
    ApplicationNode other = application("b", 0);

    assertThat(queue.waitingPools()).containsExactly("a", "b");
    assertThat(queue.next("a", Optional.empty())).contains(high);
    assertThat(queue.next("a", Optional.of(high))).contains(low);
    assertThat(queue.next("a", Optional.of(low))).isEmpty();

    assertThat(other.take(other.request().next(0, List.of(), List.of()))).isTrue();
    queue.update(other, 0);

    assertThat(queue.waitingPools()).containsExactly("a");
  }
}
