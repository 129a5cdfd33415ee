package io.kiln.simulation;

import java.util.List;
import java.util.function.Supplier;

/// What became of a simulated run.
///
/// @param succeeded how many jobs did
/// @param trace empty unless asked for
public record Outcome(int succeeded, int failed, long events, List<String> trace) {

  /// Runs a simulation. If it fails, its trace is printed as far as it has got.
  ///
  /// @param test the class of the test that has a method `replay`
  /// @throws AssertionError with the command that replays the run, if what must hold does not
  public static Outcome of(String test, long seed, SimulatedWorld world, Supplier<Outcome> run) {
    try {
      return run.get();
    } catch (AssertionError | RuntimeException e) {
      world.trace().forEach(System.out::println);
      throw new AssertionError(
          "seed "
              + seed
              + " failed ("
              + e.getMessage()
              + "); replay it with: mvn -B -pl simulation -am test -Dtest="
              + test
              + "#replay -Dkiln.seed="
              + seed
              + " -Dsurefire.failIfNoSpecifiedTests=false",
          e);
    }
  }
}
