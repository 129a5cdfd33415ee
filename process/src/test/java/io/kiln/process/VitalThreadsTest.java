package io.kiln.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class VitalThreadsTest {
  @TempDir Path directory;

  /// A thread of the given name dies, and then the process would go on for ever; it ends with 3
  /// where it does.
  static final class Program {
    private Program() {}

    public static void main(String[] words) throws InterruptedException {
      if (words[0].equals("daemon")) {
        VitalThreads.ofDaemon("the worker", 7);
      } else {
        VitalThreads.ofProgram("the executor", 7);
      }
      Thread thread =
          (words[1].equals("virtual") ? Thread.ofVirtual() : Thread.ofPlatform())
              .name(words[1])
              .start(
                  () -> {
                    throw new NoClassDefFoundError("Gone");
                  });
      thread.join();
      if (words[2].equals("lives")) {
        System.exit(3);
      }
      new CountDownLatch(1).await();
    }
  }

  @Test
  void theProcessEndsWithAVitalThreadAndSaysWhy() throws Exception {
    assertThat(run(7, "daemon", "any", "dies"))
        .contains("Error: the worker ends, as its thread any has died", "NoClassDefFoundError");
    assertThat(run(7, "program", "kiln-executor-task-1", "dies"))
        .contains("Error: the executor ends, as its thread kiln-executor-task-1 has died");
  }

  @Test
  void itOutlivesOthers() throws Exception {
    assertThat(run(3, "daemon", "virtual", "lives"))
        .contains("NoClassDefFoundError")
        .doesNotContain("as its thread");
    assertThat(run(3, "program", "of-the-user", "lives"))
        .contains("NoClassDefFoundError")
        .doesNotContain("as its thread");
  }

  private String run(int exitCode, String... words) throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                words[0],
                words[1],
                words[2])
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("printed").toFile())
            .start();
    try {
      int ended = process.waitFor();
      String printed = Files.readString(directory.resolve("printed"));
      assertThat(ended).as(printed).isEqualTo(exitCode);
      return printed;
    } finally {
      process.destroyForcibly();
    }
  }
}
