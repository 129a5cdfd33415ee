package io.kiln.submit.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// In JVMs of their own: Log4j starts once.
class InterruptedLogTest {

  /// Interrupts a thread all the time while it logs first.
  static final class Program {
    private Program() {}

    public static void main(String[] words) throws InterruptedException {
      Thread thread =
          new Thread(
              () -> {
                LoggerFactory.getLogger("x").warn("first");
                System.out.println("interrupted: " + Thread.currentThread().isInterrupted());
              });
      thread.start();
      while (thread.isAlive()) {
        thread.interrupt();
        thread.join(1);
      }
      LoggerFactory.getLogger("x").warn("second");
    }
  }

  /// Logs first while the JVM shuts down.
  static final class AtTheEnd {
    private AtTheEnd() {}

    public static void main(String[] words) {
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> LoggerFactory.getLogger("x").warn("last words")));
    }
  }

  @Test
  void anInterruptDuringTheFirstEventDoesNotEndLogging() throws Exception {
    String printed = run(Program.class);

    assertThat(printed)
        .contains("WARN x: first", "WARN x: second", "interrupted: true")
        .doesNotContain("Exception", "Error");
  }

  @Test
  void whatIsLoggedFirstWhileTheJvmEndsIsPrinted() throws Exception {
    assertThat(run(AtTheEnd.class).strip()).endsWith("WARN x: last words").hasLineCount(1);
  }

  private static String run(Class<?> program) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName())
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }
}
