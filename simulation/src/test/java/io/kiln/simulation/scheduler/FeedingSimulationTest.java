package io.kiln.simulation.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.scheduler.QueueTargets;
import io.kiln.simulation.scheduler.FeedingSimulation.Load;
import io.kiln.simulation.scheduler.FeedingSimulation.TaskLengths;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Slots in other processes are kept busy, although each word to the driver and back takes about a
/// third of a millisecond.
class FeedingSimulationTest {
  private static final Duration LENGTH = Duration.ofMillis(100);
  private static final Duration LONGEST_DELAY = Duration.ofNanos(300_000);

  @ParameterizedTest
  @ValueSource(ints = {20, 100, 500, 1_000, 2_000, 5_000})
  void ofOneTaskSet(int taskMicros) {
    assertThat(busyPart(taskMicros, 1, QueueTargets.BETWEEN_PROCESSES)).isGreaterThan(0.97);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 100, 500, 1_000, 2_000})
  void ofTaskSetsThatCompete(int taskMicros) {
    assertThat(busyPart(taskMicros, 2, QueueTargets.BETWEEN_PROCESSES)).isGreaterThan(0.96);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 100, 500, 1_000})
  void notWithoutAQueue(int taskMicros) {
    assertThat(busyPart(taskMicros, 1, QueueTargets.NONE)).isLessThan(0.8);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 200, 5_000})
  void ofTasksThatWereThoughtToBeShort(int longMillis) {
    TaskLengths shortOnes = TaskLengths.same(Duration.ofNanos(50_000), Duration.ofMillis(2));
    Duration longTask = Duration.ofMillis(longMillis);
    TaskLengths longOnes = TaskLengths.same(longTask, longTask.multipliedBy(160));
    Load load = new Load(4, 2, 1, shortOnes.then(longOnes), LONGEST_DELAY);

    assertThat(FeedingSimulation.busyPart(load, QueueTargets.BETWEEN_PROCESSES))
        .isGreaterThan(0.92);
  }

  private static double busyPart(int taskMicros, int taskSets, QueueTargets queue) {
    Duration task = Duration.ofNanos(taskMicros * 1_000L);
    TaskLengths tasks = TaskLengths.same(task, LENGTH.multipliedBy(8).dividedBy(taskSets));
    return FeedingSimulation.busyPart(new Load(4, 2, taskSets, tasks, LONGEST_DELAY), queue);
  }
}
