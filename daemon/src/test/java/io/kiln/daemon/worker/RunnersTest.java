package io.kiln.daemon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.kiln.api.KilnConf;
import io.kiln.base.settings.Settings;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.Command;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.WorkerMessage;
import io.kiln.cluster.worker.RunnerOrder.StartDriver;
import io.kiln.cluster.worker.RunnerOrder.StartExecutor;
import io.kiln.cluster.worker.RunnerOrder.StopDriver;
import io.kiln.cluster.worker.WorkerEvent.DriverEnded;
import io.kiln.cluster.worker.WorkerEvent.DriverStarted;
import io.kiln.cluster.worker.WorkerEvent.ExecutorEnded;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Real processes and a real HTTP server.
@Timeout(60)
class RunnersTest {

  /// What a driver's JVM runs here instead of `spark-submit`.
  public static final class Program {
    private Program() {}

    public static void main(String[] words) throws InterruptedException, IOException {
      if (words[words.length - 1].equals("wait")) {
        new CountDownLatch(1).await();
      }
      System.out.println(String.join(" ", words));
      System.out.println("environment " + new TreeSet<>(System.getenv().keySet()));
      if (words[0].equals("--properties-file")) {
        System.out.println(Files.readString(Path.of(words[1])));
      }
      Files.createFile(Path.of("result"));
      System.exit(Integer.parseInt(words[words.length - 1]));
    }
  }

  @TempDir Path directory;
  private final BlockingQueue<WorkerMessage> heard = new LinkedBlockingQueue<>();
  private WorkDirectory work;
  private Runners runners;

  @AfterEach
  void close() throws IOException {
    runners.close();
    work.close();
  }

  private Runners runners() throws IOException {
    work = WorkDirectory.open(directory.resolve("work"));
    runners =
        new Runners(
            new ExecutorRunner.Worker(
                "spark://Worker@h:1",
                "h",
                work,
                directory.resolve("scratch"),
                ChildEnvironment.of(
                    Settings.of(new KilnConf(false)),
                    Map.of("PATH", System.getenv("PATH"), "OWN_PASSWORD", "hidden-4711")),
                Users.of(Settings.of(new KilnConf(false)))),
            new RoomCheck(List.of(work.own()), 1),
            Duration.ofSeconds(5),
            Optional.empty(),
            new ProgramUmask("0027"),
            heard::add,
            _ -> {});
    return runners;
  }

  private StartDriver driver(int attempt, String jar, String argument) {
    return driver(attempt, jar, argument, Map.of());
  }

  private StartDriver driver(
      int attempt, String jar, String argument, Map<String, String> environment) {
    Command command =
        new Command(
            Program.class.getName(),
            List.of("{{WORKER_URL}}", "{{USER_JAR}}", argument),
            environment,
            List.of(),
            List.of(),
            List.of());
    return new StartDriver(
        "d",
        1,
        attempt,
        new DriverDescription(jar, 32, 1, false, command, Map.of("spark.x", "y")),
        Optional.of("0a:1b"));
  }

  private String jar() throws Exception {
    return Files.writeString(directory.resolve("an app.jar"), "jar").toUri().toString();
  }

  private WorkerMessage next() throws InterruptedException {
    WorkerMessage message = heard.poll(30, TimeUnit.SECONDS);
    assertThat(message).as("told in time").isNotNull();
    return message;
  }

  @Test
  void aDriverStartsWithItsJarAndEndsWithItsExitCode() throws Exception {
    runners().deliver(List.of(driver(1, jar(), "3")));

    assertThat(next()).isEqualTo(new DriverStarted("d", 1, 1));
    assertThat(next()).isEqualTo(new DriverEnded("d", 1, 1, Optional.of(3), "exit code 3"));
    Path own = directory.resolve("work/d");
    assertThat(own.resolve("stdout"))
        .content()
        .contains("spark://Worker@h:1 " + own.resolve("an app.jar") + " 3");
    assertThat(own.resolve("spark-1.1.conf")).as("may hold secrets").doesNotExist();
    assertThat(own.resolve("stdout"))
        .content()
        .contains("spark.kiln.driver.id=d", "spark.kiln.driver.secret=0a\\:1b", "spark.x=y")
        .contains("environment [PATH")
        .doesNotContain("OWN_PASSWORD");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own.resolve("result"))))
        .as("by the umask of whoever started the worker")
        .isEqualTo("rw-r-----");
  }

  /// What a process builder refuses by an exception of its own is the end of that executor: else
  /// its cores would be given away for ever.
  @Test
  void whateverARunnerThrowsIsAnEnd() throws Exception {
    Command command =
        new Command(
            Program.class.getName(),
            List.of("0"),
            Map.of("A=B", "x"),
            List.of(),
            List.of(),
            List.of());
    ApplicationDescription application =
        new ApplicationDescription(
            "n",
            Optional.empty(),
            Optional.empty(),
            32,
            command,
            Map.of(),
            "u",
            "",
            ApplicationDescription.Share.DEFAULT,
            Optional.empty());
    runners().deliver(List.of(new StartExecutor("a", 7, application, 1, 32, "spark://m:1")));

    ExecutorEnded ended = (ExecutorEnded) next();
    assertThat(ended.executorId()).isEqualTo(7);
    assertThat(ended.exitCode()).isEmpty();
    assertThat(ended.message()).startsWith("it can't be started: ").contains("A=B");
  }

  @Test
  void whateverIsThrownForADriverIsItsEndToo() throws Exception {
    StartDriver order = driver(1, jar(), "0", Map.of("A=B", "x"));
    runners().deliver(List.of(order));

    DriverEnded ended = (DriverEnded) next();
    assertThat(ended.exitCode()).isEmpty();
    assertThat(ended.message()).contains("A=B");
  }

  @Test
  void aRunningDriverIsStopped() throws Exception {
    runners().deliver(List.of(driver(1, jar(), "wait")));
    assertThat(next()).isEqualTo(new DriverStarted("d", 1, 1));

    runners.deliver(List.of(new StopDriver("d", 1, 1)));

    assertThat(next()).isInstanceOf(DriverEnded.class);
  }

  @Test
  void aDriverThatIsStoppedWhileItsJarIsOnItsWayDoesNotStart() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.countDown();
          try {
            answer.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.sendResponseHeaders(200, 3);
          exchange.getResponseBody().write(new byte[3]);
          exchange.close();
        });
    server.start();
    try {
      String url = "http://localhost:" + server.getAddress().getPort() + "/app.jar";
      runners().deliver(List.of(driver(1, url, "wait")));
      asked.await();
      runners.deliver(List.of(new StopDriver("d", 1, 1)));
      runners.deliver(List.of(driver(2, jar(), "0"))); // another run is another matter
      assertThat(next()).isEqualTo(new DriverStarted("d", 1, 2));
      assertThat(next()).isInstanceOf(DriverEnded.class);
      answer.countDown();

      assertThat(next())
          .isEqualTo(
              new DriverEnded("d", 1, 1, Optional.empty(), "it was stopped before it had started"));
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aJarThatIsNotThereIsNamed() throws Exception {
    runners().deliver(List.of(driver(1, "/none/app.jar", "0")));
    assertThat(((DriverEnded) next()).message()).contains("/none/app.jar", "worker's host");

    runners.deliver(List.of(driver(2, "hdfs://h/app.jar", "0")));
    assertThat(((DriverEnded) next()).message()).contains("hdfs: is not supported");
  }
}
