package io.kiln.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.simulation.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StandaloneSimulationTest {
  /// Fewer with `-Dkiln.seeds=50`.
  private static final int SEEDS = Integer.getInteger("kiln.seeds", 1000);

  @Test
  void holdsUnderManySeeds() {
    int finished = 0;
    int failed = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Outcome outcome = StandaloneSimulation.run(seed, false);
      finished += outcome.succeeded();
      failed += outcome.failed();
    }

    // Else the runs are too kind, or too cruel, to show anything.
    assertThat(finished).isGreaterThan(SEEDS);
    assertThat(failed).isGreaterThan(SEEDS / 10);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void oneSeedIsOneRun(long seed) {
    assertThat(StandaloneSimulation.run(seed, true))
        .isEqualTo(StandaloneSimulation.run(seed, true));
  }

  /// Prints the trace of one run.
  @Test
  @EnabledIfSystemProperty(named = "kiln.seed", matches = "\\d+")
  void replay() {
    Outcome outcome = StandaloneSimulation.run(Long.getLong("kiln.seed"), true);
    outcome.trace().forEach(System.out::println);
  }
}
