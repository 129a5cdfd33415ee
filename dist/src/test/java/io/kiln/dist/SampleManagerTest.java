package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A cluster manager that comes as one more jar of the engine's: nothing else knows of it.
@Timeout(180)
class SampleManagerTest {
  @TempDir static Path directory;
  private static Path submit;
  private static Path probe;

  @BeforeAll
  static void install() throws IOException {
    probe = ProbeJar.build(Files.createDirectory(directory.resolve("probe"))).application();
    Path manager = ProbeJar.ofSampleManager(Files.createDirectory(directory.resolve("manager")));
    Path home = Installation.in(directory).directory();
    Files.delete(home.resolve("jars"));
    for (String group : List.of("shared", "engine")) {
      Path jars = Files.createDirectories(home.resolve("jars").resolve(group));
      for (Path jar : Layout.jars("jars/" + group)) {
        Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar);
      }
    }
    Files.copy(manager, home.resolve("jars/engine/sample.jar"));
    submit = home.resolve("bin/spark-submit");
  }

  private static Result run(Object... words) throws Exception {
    List<Object> all = new ArrayList<>(List.of(submit));
    all.addAll(Arrays.asList(words));
    return new Command(directory, all.toArray()).with("SPARK_LOCAL_IP", "127.0.0.1").run();
  }

  @Test
  void anApplicationRunsOnItsExecutors() throws Exception {
    Result ran = run("--master", "sample://2", "--class", "probe.Jobs", probe, "look");

    assertThat(ran.exitCode()).as("%s", ran).isZero();
    assertThat(ran.out().lines().toList().get(1)).contains("ExecutorMain");
  }

  @Test
  void itsClientRunsADriver() throws Exception {
    Result ran =
        run(
            "--master",
            "sample://1",
            "--deploy-mode",
            "cluster",
            "--class",
            "probe.Jobs",
            probe,
            "exit",
            7);

    assertThat(ran.exitCode()).as("%s", ran).isEqualTo(7);
  }

  @Test
  void helpAndRefusalsAndSettingsAreAsItSays() throws Exception {
    assertThat(run("--help").out())
        .containsPattern("  --queue NAME +the queue to submit to \\(sample\\)\n")
        .containsPattern("  sample://N +the sample manager\n");
    assertThat(run("--master", "sample://x", probe).err())
        .isEqualTo(
            "Error: --master is 'sample://x', which names no master: use sample://N, with whole"
                + " numbers from 1\n");
    assertThat(run("--master", "lokal", probe).err()).contains(" or sample://N");
    Result ran =
        run("--master", "sample://1", "--queue", "q", "-v", "--class", "probe.Jobs", probe, "sum");
    assertThat(ran.err()).contains("spark.sample.queue");
    assertThat(ran.out()).isEqualTo("499500\n");
  }
}
