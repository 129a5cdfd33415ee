package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// What users get wrong, and what dies, on a cluster of real processes.
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
class StandaloneFaultsTest {
  private static final Pattern CREATED = Pattern.compile("created as (driver-[0-9-]+)\\.");
  private static final Pattern DRIVER = Pattern.compile("driver-[0-9]{14}-[0-9]{4,}");

  @TempDir static Path shared;
  @TempDir Path directory;
  private static Path probe;
  private StandaloneCluster cluster;

  @BeforeAll
  static void compileProbe() throws IOException {
    probe = ProbeJar.build(shared).application();
  }

  @BeforeEach
  void useDirectory() {
    cluster = new StandaloneCluster(directory, probe);
  }

  @AfterEach
  void stop() throws Exception {
    cluster.stop();
  }

  private Result inCluster(String url, boolean waits, Object... words) throws Exception {
    List<Object> all =
        new ArrayList<>(
            List.of(
                "--deploy-mode",
                "cluster",
                "-c",
                "spark.standalone.submit.waitAppCompletion=" + waits,
                "--driver-memory",
                "128m",
                "--executor-memory",
                "512m"));
    all.addAll(List.of(words));
    return cluster.spark(url, all.toArray()).run();
  }

  private static String id(Result submitted) {
    Matcher created = CREATED.matcher(submitted.err());
    assertThat(created.find()).as("%s", submitted).isTrue();
    return created.group(1);
  }

  private void awaitState(String url, String id, String state) throws Exception {
    StandaloneCluster.await(
        () -> cluster.ask(url, "--status", id).run().err().contains("is now " + state));
  }

  @Test
  void whatCantRunIsSaid() throws Exception {
    String url = cluster.startMaster();
    cluster.startWorkers(url, 1);
    Path runs = directory.resolve("runs");
    Result supervised =
        inCluster(url, false, "--supervise", "--class", "probe.Crashing", probe, runs, 5);
    assertThat(supervised.exitCode()).as("%s", supervised).isZero();

    Result noJar = inCluster(url, true, "--class", "a.B", directory.resolve("no.jar"));
    assertThat(noJar.exitCode()).isEqualTo(1);
    assertThat(noJar.err()).contains("is ERROR", "no.jar", "there is no such file");

    Path text = Files.writeString(directory.resolve("text.jar"), "no jar");
    Result notAJar = inCluster(url, true, "--class", "a.B", text);
    assertThat(notAJar.exitCode()).as("%s", notAJar).isEqualTo(1);

    Result noClass = inCluster(url, true, "--class", "a.B", probe);
    assertThat(noClass.exitCode()).as("%s", noClass).isEqualTo(1);
    assertThat(noClass.err()).contains("Main class a.B is not in");

    Result large = inCluster(url, false, "--driver-memory", "100g", "--class", "a.B", probe);
    assertThat(large.err()).contains("is now SUBMITTED", "102400 MiB", "1024 MiB");
    assertThat(cluster.ask(url, "--kill", id(large)).run().exitCode()).isZero();

    Result badOption =
        cluster
            .submit(url, List.of("-c", "spark.executor.extraJavaOptions=-XX:NoSuchOption"), "sum")
            .run();
    assertThat(badOption.exitCode()).isNotZero();
    assertThat(badOption.err()).contains("NoSuchOption");

    Process hungry =
        cluster
            .spark(url, "--executor-memory", "100g", "--class", "probe.Jobs", probe, "sum")
            .start();
    BufferedReader said = hungry.errorReader();
    String line = said.readLine();
    while (line != null && !line.contains("102400 MiB")) {
      line = said.readLine();
    }
    hungry.destroyForcibly();
    assertThat(line).as("what an application without executors hears").contains("1024 MiB");

    awaitState(url, id(supervised), "FINISHED");
    assertThat(runs).hasContent("run\n".repeat(6));
    assertThat(directory.resolve("work").resolve(id(supervised)).resolve("stdout"))
        .hasContent("did not crash\n");
  }

  @Test
  void whoStopsWaitingLeavesTheDriverOrHasItKilled() throws Exception {
    String url = cluster.startMaster();
    cluster.startWorkers(url, 1);
    Path note = Files.writeString(directory.resolve("note.txt"), "note");
    for (boolean kills : List.of(false, true)) {
      Process waiting =
          cluster
              .spark(
                  url,
                  "--deploy-mode",
                  "cluster",
                  "-c",
                  "spark.standalone.submit.waitAppCompletion=true",
                  "-c",
                  "spark.kiln.submit.killOnInterrupt=" + kills,
                  "--driver-memory",
                  "128m",
                  "--executor-memory",
                  "512m",
                  "--class",
                  "probe.Jobs",
                  probe,
                  "hold",
                  note)
              .start();
      BufferedReader said = waiting.errorReader();
      String line = said.readLine();
      while (!line.contains("is now RUNNING")) {
        line = said.readLine();
      }
      Matcher id = DRIVER.matcher(line);
      assertThat(id.find()).as(line).isTrue();

      signal("TERM", waiting.toHandle());

      assertThat(waiting.waitFor()).isEqualTo(143);
      String last = said.lines().reduce("", (_, next) -> next);
      if (kills) {
        assertThat(last).contains("Kill request");
      } else {
        assertThat(last).contains(id.group() + " goes on", "--kill " + id.group());
        assertThat(cluster.ask(url, "--status", id.group()).run().err()).contains("RUNNING");
        assertThat(cluster.ask(url, "--kill", id.group()).run().exitCode()).isZero();
      }
      awaitState(url, id.group(), "KILLED");
    }
  }

  @Test
  void twoHundredSubmissionsAtOnceAreTakenOnce() throws Exception {
    String url = cluster.startMaster(0, "-Dspark.kiln.master.rest.authenticate=false");
    Path log = cluster.logOf(StandaloneCluster.MASTER_CLASS);
    StandaloneCluster.await(() -> Files.readString(log).contains("HTTP on port"));
    String port = Files.readString(log).replaceFirst("(?s).*HTTP on port (\\d+).*", "$1");
    URI create = URI.create("http://127.0.0.1:" + port + "/v1/submissions/create");
    String body =
        """
        {"action": "CreateSubmissionRequest", "appResource": "file:/nowhere.jar",
         "mainClass": "a.B", "appArgs": [], "clientSparkVersion": "4.2.0",
         "environmentVariables": {},
         "sparkProperties": {"spark.app.name": "a", "spark.master": "%s"}}
        """
            .formatted(url);
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(create).POST(BodyPublishers.ofString(body)).build();
      List<CompletableFuture<HttpResponse<String>>> answers =
          IntStream.range(0, 200)
              .mapToObj(_ -> client.sendAsync(request, BodyHandlers.ofString()))
              .toList();
      long ids =
          answers.stream()
              .map(answer -> answer.join().body())
              .map(
                  answer -> {
                    Matcher id = DRIVER.matcher(answer);
                    assertThat(id.find()).as(answer).isTrue();
                    return id.group();
                  })
              .distinct()
              .count();
      assertThat(ids).isEqualTo(200);
    }
    String state = cluster.json(log);
    assertThat(state.split("\"mainclass\" : \"a.B\"", -1)).hasSize(201);
  }

  @Test
  void anAcceptedDriverOutlivesItsMaster() throws Exception {
    String recovery =
        "-Dspark.deploy.recoveryMode=FILESYSTEM -Dspark.deploy.recoveryDirectory="
            + directory.resolve("kept");
    String url = cluster.startMaster(0, recovery);
    String id = id(inCluster(url, false, "--class", "probe.Jobs", probe, "sum"));
    cluster.kill(cluster.processes("MasterMain").getFirst().pid());

    int port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    assertThat(cluster.startMaster(port, recovery)).isEqualTo(url);
    cluster.startWorkers(url, 1);

    awaitState(url, id, "FINISHED");
    assertThat(directory.resolve("work").resolve(id).resolve("stdout")).hasContent("499500\n");
  }

  @Test
  void whatAWorkerRanEndsWithItAndASupervisedDriverStartsElsewhere() throws Exception {
    String url = cluster.startMaster(0, "-Dspark.kiln.deploy.linkGrace=1s");
    cluster.startWorkers(url, 1);
    Path note = Files.writeString(directory.resolve("note.txt"), "note");
    String id =
        id(inCluster(url, false, "--supervise", "--class", "probe.Jobs", probe, "hold", note));
    Path printed = directory.resolve("work").resolve(id).resolve("stdout");
    StandaloneCluster.await(() -> Files.exists(printed) && Files.size(printed) > 0);
    List<ProcessHandle> driver = cluster.processes("SparkSubmit");
    List<ProcessHandle> executor = cluster.processes("ExecutorMain");
    assertThat(driver).hasSize(1);
    assertThat(executor).hasSize(1);

    cluster.kill(cluster.processes("WorkerMain").getFirst().pid());

    StandaloneCluster.await(() -> !driver.getFirst().isAlive() && !executor.getFirst().isAlive());
    cluster.startWorkers(url, 1);
    StandaloneCluster.await(() -> Files.readString(printed).equals("ready\nready\n"));
    assertThat(cluster.ask(url, "--kill", id).run().exitCode()).isZero();
    awaitState(url, id, "KILLED");
  }

  @Test
  void aWorkerThatWasThoughtDeadGivesUpWhatItRan() throws Exception {
    String url = cluster.startMaster(0, "-Dspark.worker.timeout=3s");
    cluster.startWorkers(url, 1, "-Dspark.worker.timeout=3s");
    try (StandaloneCluster.Running running =
        new StandaloneCluster.Running(cluster.submit(url, "twice"))) {
      assertThat(running.line()).isEqualTo("3");
      ProcessHandle worker = cluster.processes("WorkerMain").getFirst();
      ProcessHandle executor = cluster.processes("ExecutorMain").getFirst();
      Path log = cluster.logOf(StandaloneCluster.MASTER_CLASS);
      signal("STOP", worker);
      StandaloneCluster.await(() -> cluster.json(log).contains("\"state\" : \"DEAD\""));

      signal("CONT", worker);

      StandaloneCluster.await(() -> !executor.isAlive()); // the master has given it away
      running.goOn();
      assertThat(running.line()).isEqualTo("3");
      assertThat(running.exitCode()).isZero();
      assertThat(cluster.json(log)).contains("\"aliveworkers\" : 1");
    }
  }

  @Test
  void theExecutorsOfADriverThatIsKilledEnd() throws Exception {
    String url = cluster.startMaster(0, "-Dspark.kiln.deploy.linkGrace=1s");
    cluster.startWorkers(url, 1);
    Path log = cluster.logOf(StandaloneCluster.MASTER_CLASS);
    try (StandaloneCluster.Running running =
        new StandaloneCluster.Running(cluster.submit(url, "twice"))) {
      assertThat(running.line()).isEqualTo("3");
      assertThat(cluster.json(log)).contains("\"coresused\" : 2", "\"name\" : \"jobs\"");
      cluster.kill(cluster.processes("SparkSubmit").getFirst().pid());

      StandaloneCluster.await(() -> cluster.processes("ExecutorMain").isEmpty());
      StandaloneCluster.await(
          () -> cluster.json(log).contains("\"state\" : \"FAILED\"")); // after the grace
      assertThat(cluster.json(log))
          .contains("\"activeapps\" : [ ]", "\"coresused\" : 0,\n  \"memory\"");
    }
  }

  private void signal(String name, ProcessHandle process) throws Exception {
    new Command(directory, "kill", "-" + name, process.pid()).run();
  }
}
