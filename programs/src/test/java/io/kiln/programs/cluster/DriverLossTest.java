package io.kiln.programs.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class DriverLossTest {
  @TempDir private Path scratch;

  /// A driver that says which executors it has, and then waits with a job under way.
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      KilnContext context =
          KilnContext.create(Clusters.conf("local-cluster[2,1,256]", Path.of(arguments[0])));
      context.range(0, 100, 1, 4).groupBy(i -> i % 3).count(); // leaves map outputs
      Clusters.executors(context, 8).forEach(System.out::println);
      System.out.println("ready");
      context.range(0, 2, 1, 2).foreach(_ -> new CountDownLatch(1).await());
    }
  }

  @Test
  void executorsOfAKilledDriverEndAndLeaveNothing() throws Exception {
    Process driver =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                scratch.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      List<Optional<ProcessHandle>> executors = new ArrayList<>();
      try (BufferedReader said = driver.inputReader()) {
        for (String line = said.readLine(); !"ready".equals(line); line = said.readLine()) {
          assertThat(line).as("the driver went on").isNotNull();
          executors.add(ProcessHandle.of(Long.parseLong(line)));
        }
        driver.destroyForcibly().waitFor();
      }
      assertThat(executors).hasSize(2);
      for (Optional<ProcessHandle> executor : executors) {
        if (executor.isPresent()) {
          executor.get().onExit().get(20, TimeUnit.SECONDS);
        }
      }
      assertNothingIsLeft();
    } finally {
      driver.destroyForcibly();
    }
  }

  private void assertNothingIsLeft() throws IOException {
    try (Stream<Path> left = Files.list(scratch)) {
      assertThat(left).isEmpty();
    }
  }
}
