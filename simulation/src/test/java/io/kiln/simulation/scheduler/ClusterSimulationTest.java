package io.kiln.simulation.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.simulation.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterSimulationTest {
  private static final int SEEDS = 300;

  @Test
  void holdsUnderManySeeds() {
    int succeeded = 0;
    int failed = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Outcome outcome = ClusterSimulation.run(seed, false);
      succeeded += outcome.succeeded();
      failed += outcome.failed();
    }

    // Else the runs are too kind, or too cruel, to show anything.
    assertThat(succeeded).isGreaterThan(SEEDS);
    assertThat(failed).isGreaterThan(SEEDS / 10);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void oneSeedIsOneRun(long seed) {
    assertThat(ClusterSimulation.run(seed, true)).isEqualTo(ClusterSimulation.run(seed, true));
  }

  /// Prints the trace of one run.
  @Test
  @EnabledIfSystemProperty(named = "kiln.seed", matches = "\\d+")
  void replay() {
    Outcome outcome = ClusterSimulation.run(Long.getLong("kiln.seed"), true);
    outcome.trace().forEach(System.out::println);
  }
}
