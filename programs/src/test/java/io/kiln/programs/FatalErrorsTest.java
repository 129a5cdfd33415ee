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
        case "nested" -> nested(context);
        case "brokenClass" -> brokenClass(context);
        case "noClose" ->
            context
                .range(0, 10, 1, 2)
                .mapToPair(x -> io.kiln.api.Pair.of(x, x))
                .groupByKey()
                .count();
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    }

    /// Data that no ordinary stack can write.
    @SuppressWarnings("JdkObsolete") // a class that the JVM's streams use too
    private static void nested(KilnContext context) {
      for (int i = 0; i < 3; i++) {
        System.out.println(
            "chain of "
                + context
                    .parallelize(List.of(1), 1)
                    .map(_ -> Chain.of(100_000))
                    .repartition(1)
                    .map(Chain::length)
                    .collect());
      }
      System.out.println(
          "later "
              + context
                  .parallelize(List.of("a.b"), 1)
                  .map(text -> new StringBuffer(text).append(1).toString())
                  .collect());
    }

    private static void brokenClass(KilnContext context) {
      for (int i = 0; i < 2; i++) {
        try {
          context.range(0, 1, 1, 1).map(x -> Endless.next(x)).count();
        } catch (KilnException e) {
          System.out.println("caught " + e.getMessage());
        }
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

  private record Chain(Chain next) implements java.io.Serializable {
    static Chain of(int length) {
      Chain chain = null;
      for (int i = 0; i < length; i++) {
        chain = new Chain(chain);
      }
      return chain;
    }

    int length() {
      int length = 0;
      for (Chain at = this; at != null; at = at.next()) {
        length++;
      }
      return length;
    }
  }

  /// Can't be initialised: the stack runs out.
  private static final class Endless {
    private static final long START = next(0);

    static long next(long x) {
      return x < 0 ? START : next(x + 1) + 1;
    }
  }

  @Test
  void deepDataHarmNothingElse() throws Exception {
    ForkedProgram ended =
        ForkedProgram.run(Program.class, List.of("-Xmx256m"), "nested", "local[2]");
    assertThat(ended.exitCode()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("chain of [100000]", "later [a.b1]");
  }

  @Test
  void aProcessWhoseClassesAreBrokenEnds() throws Exception {
    ForkedProgram own = ForkedProgram.run(Program.class, OWN_PROCESS, "brokenClass", "local[1]");
    assertThat(own.exitCode()).as(own.output()).isEqualTo(60);
    assertThat(own.output()).containsPattern("ends with code 60 after a fatal error: .*Endless");
    ForkedProgram embedded =
        ForkedProgram.run(Program.class, List.of("-Xmx64m"), "brokenClass", "local[1]");
    assertThat(embedded.exitCode()).as(embedded.output()).isZero();
    assertThat(embedded.output()).containsPattern("caught .*start the process anew");
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

  /// The scheduler may want memory in the very moment in which there is none: then it says so.
  @Test
  void memoryThatATaskHeldIsFreeAfterIt() throws Exception {
    ForkedProgram ended = ForkedProgram.run(Program.class, OWN_PROCESS, "memoryHeld", "local[1]");
    for (int again = 0; again < 3 && ended.exitCode() == 52; again++) {
      ended = ForkedProgram.run(Program.class, OWN_PROCESS, "memoryHeld", "local[1]");
    }
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
