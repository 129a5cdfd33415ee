package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.io.BufferedReader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a container runs, without the container.
@Timeout(60)
class ContainerEntryTest {
  /// Of a JVM that SIGTERM has ended.
  private static final int TERMINATED = 143;

  @TempDir Path directory;

  private Command entry(Object... words) {
    Object[] all = new Object[words.length + 1];
    all[0] = Layout.HOME.resolve("docker/entrypoint.sh");
    System.arraycopy(words, 0, all, 1, words.length);
    return new Command(directory, all)
        .with("SPARK_LOCAL_IP", "127.0.0.1")
        .with(
            "SPARK_DAEMON_JAVA_OPTS",
            "-Dspark.kiln.deploy.secretFile=" + directory.resolve("secret"));
  }

  @Test
  void aMasterIsTheProcessItselfAndEndsAsItIsTold() throws Exception {
    Process process = entry("master", "--port", 0).start();
    try (BufferedReader out = process.inputReader()) {
      String line = out.readLine();
      while (line.contains("It leads")) { // which it may say first
        line = out.readLine();
      }
      assertThat(line).startsWith("Master is at spark://127.0.0.1:");
      process.destroy();
      assertThat(process.waitFor()).isEqualTo(TERMINATED);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void theOtherRolesAreWhatTheySay() throws Exception {
    Result worker = entry("worker").run();
    assertThat(worker.exitCode()).isEqualTo(1);
    assertThat(worker.err()).startsWith("Error: A worker needs the URL of its master");
    Result driver = entry("driver", "--version").run();
    assertThat(driver.exitCode()).isZero();
    assertThat(driver.out() + driver.err()).contains("version");
    Result executor = entry("executor").run();
    assertThat(executor.exitCode()).isEqualTo(1);
    assertThat(executor.err()).contains("--driver-url").hasLineCount(1);
  }

  @Test
  void anythingElseIsACommand() throws Exception {
    assertThat(entry("bash", "-c", "echo \"$1\"; exit 7", "-", "two words").run())
        .isEqualTo(new Result(7, "two words\n", ""));
    assertThat(entry().run())
        .isEqualTo(
            new Result(
                2, "", "Error: say what to run: master, worker, driver, executor, or a command\n"));
  }
}
