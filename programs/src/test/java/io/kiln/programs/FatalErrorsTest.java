package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of the process when a task does its worst.
@Timeout(180)
class FatalErrorsTest {
  private static final List<String> OWN_PROCESS = List.of("-Xmx64m", "-DSPARK_SUBMIT=true");

  /// The programs.
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      KilnContext context = Contexts.open(arguments[1]);
      switch (arguments[0]) {
        case "internalError" -> context.range(0, 2, 1, 2).map(x -> internalError(x)).count();
        case "memoryHeld" -> memoryHeld(context);
        case "noClose" ->
            context
                .range(0, 10, 1, 2)
                .mapToPair(x -> io.kiln.api.Pair.of(x, x))
                .groupByKey()
                .count();
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    }

    private static long internalError(long x) {
      throw new InternalError("task " + x + " broke the machine");
    }

    /// Each slot holds all that it can get, until its task is gone.
    private static void memoryHeld(KilnContext context) {
      try {
        context
            .range(0, 4, 1, 4)
            .map(
                x -> {
                  List<byte[]> held = new ArrayList<>();
                  while (held.size() < Integer.MAX_VALUE) {
                    held.add(new byte[1000]);
                  }
                  return x;
                })
            .count();
      } catch (KilnException e) {
        System.out.println("caught " + e.getMessage());
      }
      System.out.println("then counted " + context.range(0, 1_000, 1, 100).count());
    }
  }

  @Test
  void aMachineThatBreaksEndsAProcessOfItsOwn() throws Exception {
    ForkedProgram ended =
        ForkedProgram.run(Program.class, OWN_PROCESS, "internalError", "local[2]");
    assertThat(ended.exitCode()).as(ended.output()).isEqualTo(50);
    assertThat(ended.output())
        .containsPattern("the process ends with code 50 after a fatal error: .*broke the machine");
  }

  @Test
  void anEmbeddedEngineLeavesTheProcessAlone() throws Exception {
    ForkedProgram ended =
        ForkedProgram.run(Program.class, List.of("-Xmx64m"), "internalError", "local[2]");
    assertThat(ended.exitCode()).as(ended.output()).isEqualTo(1);
    assertThat(ended.output()).contains("KilnException: job 0", "broke the machine");
  }

  @Test
  void memoryThatATaskHeldIsFreeAfterIt() throws Exception {
    ForkedProgram ended = ForkedProgram.run(Program.class, OWN_PROCESS, "memoryHeld", "local[1]");
    assertThat(ended.exitCode()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("OutOfMemoryError", "larger heap", "then counted 1000");
  }

  /// One task's end can then be told only while the other still holds the heap: the scheduler may
  /// not survive that, but it says so, and nobody waits for ever.
  @Test
  void memoryThatAllTasksHoldAtOnceFailsTheJobOrTheContext() throws Exception {
    ForkedProgram ended = ForkedProgram.run(Program.class, OWN_PROCESS, "memoryHeld", "local[4]");
    assertThat(ended.exitCode()).as(ended.output()).isIn(0, 1, 52);
    assertThat(ended.output()).containsIgnoringCase("memory");
  }

  @Test
  void aProgramThatForgetsToCloseLeavesNothingBehind(@TempDir Path scratch) throws Exception {
    ForkedProgram ended =
        ForkedProgram.run(
            Program.class, List.of("-Djava.io.tmpdir=" + scratch), "noClose", "local[2]");
    assertThat(ended.exitCode()).as(ended.output()).isZero();
    try (Stream<Path> left = Files.list(scratch)) {
      assertThat(left.filter(path -> path.getFileName().toString().startsWith("kiln"))).isEmpty();
    }
  }
}
