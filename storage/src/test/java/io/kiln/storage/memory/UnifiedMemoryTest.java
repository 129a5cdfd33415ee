package io.kiln.storage.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class UnifiedMemoryTest {

  @Test
  void aTaskAloneMayHaveAllThatBlocksLeave() throws Exception {
    UnifiedMemory memory = new UnifiedMemory(1000, 0.5);
    assertThat(memory.tryAcquireStorage(300)).isTrue();
    try (TaskMemory task = memory.forTask("t")) {
      TaskMemory.Reservation held = task.reservation("r", TaskMemory.Spiller.NOTHING);
      assertThat(held.growTo(701)).isFalse();
      assertThat(held.growTo(700)).isTrue();
      assertThat(memory.tryAcquireStorage(1)).isFalse();
      assertThat(task.peakBytes()).isEqualTo(700);
    }
    assertThat(memory.executionBytes()).isZero();
    assertThat(memory.storageBytes()).isEqualTo(300);
  }

  @Test
  void executionEvictsBlocksDownToTheStorageRegion() throws Exception {
    UnifiedMemory memory = new UnifiedMemory(1000, 0.5);
    memory.evictBy(
        bytes -> {
          memory.releaseStorage(bytes);
          return bytes;
        });
    assertThat(memory.tryAcquireStorage(900)).isTrue();
    try (TaskMemory task = memory.forTask("t")) {
      TaskMemory.Reservation held = task.reservation("r", TaskMemory.Spiller.NOTHING);
      assertThat(held.growTo(501)).isFalse();
      assertThat(held.growTo(500)).isTrue();
      assertThat(memory.storageBytes()).isEqualTo(500);
    }
  }

  @Test
  void theTaskSpillsItsOtherHoldersFirst() throws Exception {
    UnifiedMemory memory = new UnifiedMemory(1000, 0.5);
    try (TaskMemory task = memory.forTask("t")) {
      List<TaskMemory.Reservation> spilled = new ArrayList<>();
      TaskMemory.Reservation[] first = new TaskMemory.Reservation[1];
      first[0] =
          task.reservation(
              "first",
              () -> {
                spilled.add(first[0]);
                first[0].shrinkTo(0);
                return 800;
              });
      assertThat(first[0].growTo(800)).isTrue();
      TaskMemory.Reservation second = task.reservation("second", TaskMemory.Spiller.NOTHING);
      assertThat(second.growTo(900)).isTrue();
      assertThat(spilled).containsExactly(first[0]);
    }
  }

  @Test
  void aWaitingTaskIsWokenByACancelAndByARelease() throws Exception {
    UnifiedMemory memory = new UnifiedMemory(1000, 0.5);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      TaskMemory greedy = memory.forTask("greedy");
      TaskMemory.Reservation all = greedy.reservation("all", TaskMemory.Spiller.NOTHING);
      assertThat(all.growTo(1000)).isTrue();
      TaskMemory killed = memory.forTask("killed");
      CountDownLatch started = new CountDownLatch(2);
      Future<Boolean> refused =
          threads.submit(
              () -> {
                started.countDown();
                return killed.reservation("r", TaskMemory.Spiller.NOTHING).growTo(100);
              });
      TaskMemory patient = memory.forTask("patient");
      Future<Boolean> granted =
          threads.submit(
              () -> {
                started.countDown();
                return patient.reservation("r", TaskMemory.Spiller.NOTHING).growTo(100);
              });
      started.await();
      killed.cancel("not needed");
      assertThatThrownBy(refused::get)
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOfSatisfying(
              KilnException.class, e -> assertThat(e.code()).isEqualTo("TASK_KILLED"));
      assertThat(granted.isDone()).isFalse();
      all.shrinkTo(500);
      assertThat(granted.get()).isTrue();
      patient.close();
      killed.close();
      greedy.close();
      assertThat(memory.executionBytes()).isZero();
    }
  }

  @Test
  void noByteIsLostAmongManyTasks() throws Exception {
    long total = 100_000;
    UnifiedMemory memory = new UnifiedMemory(total, 0.3);
    memory.evictBy(_ -> 0);
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        SplittableRandom random = new SplittableRandom(thread);
        all.add(
            threads.submit(
                () -> {
                  for (int round = 0; round < 300; round++) {
                    work(memory, random, total);
                  }
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    assertThat(memory.executionBytes()).isZero();
    assertThat(memory.storageBytes()).isZero();
  }

  private static void work(UnifiedMemory memory, SplittableRandom random, long total)
      throws Exception {
    long block = random.nextLong(total / 40);
    boolean stored = memory.tryAcquireStorage(block);
    try (TaskMemory task = memory.forTask("t")) {
      TaskMemory.Reservation[] held = new TaskMemory.Reservation[1];
      held[0] =
          task.reservation(
              "r",
              () -> {
                long bytes = held[0].bytes();
                held[0].shrinkTo(0);
                return bytes;
              });
      for (int i = 0; i < 5; i++) {
        if (!held[0].growTo(held[0].bytes() + random.nextLong(total / 10))) {
          held[0].shrinkTo(0);
        }
        assertThat(memory.executionBytes() + memory.storageBytes()).isBetween(0L, total);
      }
    }
    if (stored) {
      memory.releaseStorage(block);
    }
  }

  @Test
  void sizesAreEstimatedWithinAFactorOfTwo() {
    SizeEstimator estimator = new SizeEstimator();
    List<String> words = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      words.add("word " + i);
    }
    assertThat(estimator.estimate(words)).isBetween(400_000L, 1_000_000L);
    record Point(long x, long y) {}
    assertThat(estimator.estimate(new Point(1, 2))).isBetween(24L, 48L);
    Object[] cycle = new Object[1];
    cycle[0] = cycle;
    assertThat(estimator.estimate(cycle)).isPositive();
  }
}
