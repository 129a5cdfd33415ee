package io.kiln.storage.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import io.kiln.api.StorageLevel;
import io.kiln.storage.Ground;
import io.kiln.storage.IdleTask;
import io.kiln.storage.TaskStorage;
import io.kiln.storage.remote.StorageRequest.CopyBlock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A task that waits for another process stops when it is killed, though nobody interrupts it.
@Timeout(60)
class KilledWaitsTest {
  private final CountDownLatch never = new CountDownLatch(1);

  private interface Work {
    void run(TaskStorage task) throws Exception;
  }

  /// Kills the task once it waits.
  private static void assertStops(Cluster.Node node, CountDownLatch waits, Work work)
      throws Exception {
    try (TaskStorage task = node.newTask()) {
      Thread killer =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      waits.await();
                      task.cancel("nobody needs it");
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  });
      assertThatThrownBy(() -> work.run(task))
          .isInstanceOf(KilnException.class)
          .hasMessageContaining("was killed: nobody needs it");
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
      killer.join();
    }
  }

  @Test
  void whileItAsksWhereMapOutputsAre() throws Exception {
    try (Cluster cluster = new Cluster(1, false)) {
      CountDownLatch asked = new CountDownLatch(1);
      cluster.beforeAnswer =
          () -> {
            asked.countDown();
            never.await();
          };
      assertStops(
          cluster.nodes.getFirst(),
          asked,
          task -> Ground.push(task.readShuffle(RemoteShuffleTest.plain(1, 1), 0, 1)));
    }
  }

  @Test
  void whileItAsksWhoHasABlock() throws Exception {
    Ground.Source<String> rdd = Ground.source(List.of(List.of("a")));
    rdd.persist(StorageLevel.MEMORY_ONLY);
    try (Cluster cluster = new Cluster(1, false)) {
      CountDownLatch asked = new CountDownLatch(1);
      cluster.beforeAnswer =
          () -> {
            asked.countDown();
            never.await();
          };
      assertStops(
          cluster.nodes.getFirst(),
          asked,
          task -> task.persisted(rdd, rdd.partitions().get(0), new IdleTask()));
    }
  }

  @Test
  void whileAnotherProcessMakesACopy() throws Exception {
    Ground.Source<String> rdd = Ground.source(List.of(List.of("a")));
    rdd.persist(StorageLevel.MEMORY_ONLY_2);
    try (Cluster cluster = new Cluster(2, false)) {
      CountDownLatch asked = new CountDownLatch(1);
      cluster
          .nodes
          .get(1)
          .serve(
              usual ->
                  (peer, request) -> {
                    if (request instanceof CopyBlock) {
                      asked.countDown();
                      never.await();
                    }
                    return usual.open(peer, request);
                  });
      assertStops(
          cluster.nodes.get(0),
          asked,
          task -> task.persisted(rdd, rdd.partitions().get(0), new IdleTask()));
      never.countDown();
    }
  }

  @Test
  void whileItWaitsForABroadcast() throws Exception {
    try (Cluster cluster = new Cluster(2, false)) {
      CountDownLatch asked = new CountDownLatch(1);
      cluster
          .nodes
          .get(0)
          .serve(
              _ ->
                  (_, _) -> {
                    asked.countDown();
                    never.await();
                    throw new IllegalStateException("nobody waits for it");
                  });
      assertStops(
          cluster.nodes.get(1),
          asked,
          task -> task.during(() -> cluster.nodes.get(1).storage.shared().value(7)));
      never.countDown();
    }
  }
}
