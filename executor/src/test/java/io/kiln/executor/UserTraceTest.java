package io.kiln.executor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UserTraceTest {

  private static StackTraceElement frame(String className, int line) {
    return new StackTraceElement(className, "call", "File.java", line);
  }

  @Test
  void endsWithTheLastFrameOfTheUser() {
    IllegalStateException cause = new IllegalStateException("deep\n  down");
    cause.setStackTrace(
        new StackTraceElement[] {
          frame("java.util.List", 1),
          frame("app.Program", 2),
          frame("io.kiln.api.MapRDD", 3),
          frame("io.kiln.examples.Pi", 4),
          frame("io.kiln.executor.Slot", 5),
          frame("java.lang.Thread", 6),
        });
    RuntimeException outer = new RuntimeException(cause.getMessage(), cause);
    outer.setStackTrace(new StackTraceElement[] {frame("io.kiln.storage.TaskStorage", 7)});

    assertThat(UserTrace.of(outer).lines())
        .containsExactly(
            "java.lang.RuntimeException: deep down",
            "\tat io.kiln.storage.TaskStorage.call(File.java:7)",
            "Caused by: java.lang.IllegalStateException: deep down",
            "\tat java.util.List.call(File.java:1)",
            "\tat app.Program.call(File.java:2)",
            "\tat io.kiln.api.MapRDD.call(File.java:3)",
            "\tat io.kiln.examples.Pi.call(File.java:4)");
  }

  @Test
  void causesThatGoInCirclesEnd() {
    RuntimeException first = new RuntimeException("first");
    RuntimeException second = new RuntimeException("second", first);
    first.initCause(second);
    assertThat(UserTrace.of(first)).contains("first", "second");
  }
}
