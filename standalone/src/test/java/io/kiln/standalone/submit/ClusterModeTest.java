package io.kiln.standalone.submit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.kiln.api.KilnConf;
import io.kiln.base.settings.Settings;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.daemon.rest.FakeMaster;
import io.kiln.daemon.rest.Options;
import io.kiln.daemon.rest.RestGateway;
import io.kiln.network.security.Stores;
import io.kiln.node.ClusterKeys;
import io.kiln.submit.cluster.DriverRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `spark-submit` in a process of its own against a gateway.
@Timeout(120)
class ClusterModeTest {
  private static final String SECRET = "sesame-7261";
  private static final String OVER_HTTP = "spark.master.rest.enabled true\n";

  @TempDir private Path directory;
  private final FakeMaster master = new FakeMaster();
  private RestGateway gateway;
  private Path conf;

  @BeforeEach
  void start() throws IOException {
    gateway = gateway(master);
    conf =
        Files.writeString(
            directory.resolve("submit.conf"),
            OVER_HTTP
                + "spark.authenticate.secret "
                + SECRET
                + "\nspark.ssl.keyStorePassword hidden-4711\nspark.kiln.submit.masterWait 1s\n"
                + "spark.kiln.driverEnv.ASKED for\n");
  }

  private static byte[] tokenKey() {
    return new ClusterKeys(SECRET.getBytes(UTF_8)).ofSubmitters().keyText().getBytes(UTF_8);
  }

  private static RestGateway gateway(FakeMaster master) {
    return RestGateway.start(Options.signed(tokenKey()), master);
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private SubmitProcess.Ended submit(String masters, String... words) throws Exception {
    SubmitProcess.Ended ended = SubmitProcess.run(directory, masters, conf, words);
    assertThat(ended.said()).doesNotContain(SECRET, "hidden-4711", "\tat ");
    return ended;
  }

  private String here() {
    return "127.0.0.1:" + gateway.port();
  }

  private static final String[] APPLICATION = {
    "--deploy-mode", "cluster", "--class", "org.example.Pi", "--driver-memory", "512m",
    "--supervise", "--jars", "more.jar,hdfs://store/b.jar", "app.jar", "10", "--class"
  };

  @Test
  void aDriverIsSubmittedWatchedAndKilled() throws Exception {
    SubmitProcess.Ended ended = submit(here(), APPLICATION);
    assertThat(ended.exitCode()).as(ended.said()).isZero();
    assertThat(ended.said())
        .contains(
            "Submitting a request to launch an application in spark://" + here() + ".",
            "Submission successfully created as driver-20261128120000-0000."
                + " Polling submission state...",
            "State of driver driver-20261128120000-0000 is now RUNNING.",
            "Driver is running on worker worker-1 at host-1:7078.",
            "Server responded with CreateSubmissionResponse:",
            "\"submissionId\" : \"driver-20261128120000-0000\"");
    DriverDescription driver = master.only();
    String own = directory.toRealPath().resolve("app.jar").toUri().toString();
    assertThat(driver.jarUrl()).isEqualTo(own);
    assertThat(driver.memoryMebibytes()).isEqualTo(512);
    assertThat(driver.supervise()).isTrue();
    assertThat(driver.command().arguments())
        .containsExactly(
            "--deploy-mode",
            "client",
            "--class",
            "org.example.Pi",
            "{{USER_JAR}}",
            "10",
            "--class");
    assertThat(driver.properties())
        .containsEntry("spark.app.name", "org.example.Pi")
        .containsEntry("spark.master", "spark://127.0.0.1:7077")
        .containsEntry(
            "spark.jars",
            directory.toRealPath().resolve("more.jar").toUri() + ",hdfs://store/b.jar")
        .doesNotContainKeys("spark.authenticate.secret", "spark.ssl.keyStorePassword");
    assertThat(driver.command().environment())
        .containsOnly(
            Map.entry("SPARK_USER", System.getProperty("user.name")), Map.entry("ASKED", "for"));

    String id = master.drivers().keySet().iterator().next();
    ended = submit(here(), "--status", id);
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.said()).contains("\"driverState\" : \"RUNNING\"");
    ended = submit(here(), "--kill", id);
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.said()).contains("KillSubmissionResponse");
    assertThat(submit(here(), "--status", id).said()).contains("\"driverState\" : \"KILLED\"");
  }

  @Test
  void whatIsUnknownOrRefusedEndsInOneLine() throws Exception {
    SubmitProcess.Ended ended = submit(here(), "--kill", "driver-9");
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.said()).endsWith("Error: No such driver\n");
    ended = submit(here(), "--status", "../x");
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.said()).contains("Error: '../x' is no ID");
    Files.writeString(conf, OVER_HTTP + "spark.authenticate.secret a-guess\n");
    ended = submit(here(), APPLICATION);
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.said())
        .contains("Error: The master at " + here() + " refuses: JWT Validate Fail");
    assertThat(master.drivers()).isEmpty();
  }

  @Test
  void theMasterThatLeadsIsFound() throws Exception {
    FakeMaster standby = new FakeMaster();
    standby.standBy();
    int closed = unusedPort();
    try (RestGateway other = gateway(standby)) {
      String masters = "127.0.0.1:" + closed + ",127.0.0.1:" + other.port() + "," + here();
      assertThat(submit(masters, APPLICATION).exitCode()).isZero();
      assertThat(master.drivers()).hasSize(1);
      SubmitProcess.Ended ended =
          submit("127.0.0.1:" + closed + ",127.0.0.1:" + other.port(), APPLICATION);
      assertThat(ended.exitCode()).isEqualTo(1);
      assertThat(ended.said())
          .contains("Error: No master takes submissions", "Connection refused", "STANDBY");
      assertThat(standby.drivers()).isEmpty();
    }
  }

  private static int unusedPort() throws IOException {
    try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return nobody.getLocalPort();
    }
  }

  /// As Kiln's own port or any other program's.
  @Test
  void aPortThatSpeaksSomethingElseIsNamed() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread _ = Thread.ofVirtual().start(() -> speak(other, "\0\0\0\7garbage"));
      String address = "127.0.0.1:" + other.getLocalPort();
      SubmitProcess.Ended ended = submit(address, APPLICATION);
      assertThat(ended.exitCode()).isEqualTo(1);
      assertThat(ended.said()).contains("Error: No master takes submissions", address);
    }
    try (ServerSocket other = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread _ =
          Thread.ofVirtual()
              .start(() -> speak(other, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>"));
      SubmitProcess.Ended ended = submit("127.0.0.1:" + other.getLocalPort(), APPLICATION);
      assertThat(ended.exitCode()).isEqualTo(1);
      assertThat(ended.said()).contains("not of this protocol");
    }
  }

  @Test
  void whereThereAreCertificatesRequestsAreEncrypted() throws Exception {
    Stores stores = new Stores(directory);
    Path key = stores.key("master", "-ext", "SAN=ip:127.0.0.1");
    Path trust = stores.trust("trust", key);
    KilnConf server =
        new KilnConf(false)
            .set("spark.ssl.enabled", "true")
            .set("spark.ssl.keyStore", key.toString())
            .set("spark.ssl.keyStorePassword", Stores.PASSWORD)
            .set("spark.master.rest.port", "0");
    try (RestGateway secured =
        RestGateway.start(Settings.of(server), "127.0.0.1", Optional.of(tokenKey()), master)
            .orElseThrow()) {
      String address = "127.0.0.1:" + secured.port();
      String believing =
          OVER_HTTP
              + "spark.authenticate.secret "
              + SECRET
              + "\nspark.ssl.enabled true\nspark.ssl.trustStorePassword "
              + Stores.PASSWORD
              + "\nspark.ssl.trustStore ";
      Files.writeString(conf, believing + trust + "\n");
      SubmitProcess.Ended ended = submit(address, APPLICATION);
      assertThat(ended.exitCode()).as(ended.said()).isZero();
      assertThat(master.drivers()).hasSize(1);

      Files.writeString(conf, OVER_HTTP + "spark.authenticate.secret " + SECRET + "\n");
      assertThat(submit(address, APPLICATION).exitCode()).as("in clear").isEqualTo(1);
      Path others = stores.trust("others", stores.key("another", "-ext", "SAN=ip:127.0.0.1"));
      Files.writeString(conf, believing + others + "\n");
      ended = submit(address, APPLICATION);
      assertThat(ended.exitCode()).as("whose certificate is not known").isEqualTo(1);
      assertThat(ended.said()).contains("certification path");
      assertThat(master.drivers()).hasSize(1);
    }
  }

  /// Somebody has taken the master's port and answers in HTTP whatever he is asked, as a master
  /// would.
  @Test
  void aStrangerInPlaceOfTheMasterIsToldNothing() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    try (ServerSocket stranger = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread _ = Thread.ofVirtual().start(() -> pose(stranger, heard));
      String address = "127.0.0.1:" + stranger.getLocalPort();
      Files.writeString(
          conf,
          "spark.authenticate.secret "
              + SECRET
              + "\nspark.hadoop.fs.s3a.secret.key hidden-4712\nspark.kiln.submit.masterWait 1s\n");
      for (String[] words :
          List.of(APPLICATION, new String[] {"--status", "x"}, new String[] {"--kill", "x"})) {
        SubmitProcess.Ended ended = submit(address, words);
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.said())
            .contains("Error: No master takes submissions", "spark.master.rest.enabled=true");
      }
      assertThat(String.join("", heard))
          .isNotEmpty()
          .doesNotContain(
              "Authorization", "Bearer", SECRET, "hidden-4712", "HTTP/1.1", "org.example.Pi");
    }
  }

  private static void pose(ServerSocket listening, List<String> heard) {
    String words = "{\"action\":\"ReadyzResponse\",\"success\":true}";
    byte[] answer =
        ("HTTP/1.1 200 OK\r\nContent-Length: " + words.length() + "\r\n\r\n" + words)
            .getBytes(UTF_8);
    try {
      while (true) {
        try (Socket socket = listening.accept();
            OutputStream out = socket.getOutputStream()) {
          byte[] request = new byte[64 << 10];
          int length = socket.getInputStream().read(request);
          heard.add(new String(request, 0, Math.max(0, length), ISO_8859_1));
          out.write(answer);
        }
      }
    } catch (IOException e) {
      // it is closed
    }
  }

  private static void speak(ServerSocket listening, String words) {
    try {
      while (true) {
        try (Socket socket = listening.accept();
            OutputStream out = socket.getOutputStream()) {
          byte[] request = new byte[64 << 10];
          int _ = socket.getInputStream().read(request);
          out.write(words.getBytes(UTF_8));
        }
      }
    } catch (IOException e) {
      // it is closed
    }
  }

  /// Also to a master that is asked over HTTP, where everybody on the way can read.
  @Test
  void whatIsTheSubmittersAloneIsNotSent() throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          heard.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          exchange.sendResponseHeaders(503, -1);
          exchange.close();
        });
    server.start();
    try {
      int port = server.getAddress().getPort();
      assertThat(submit("127.0.0.1:" + port, APPLICATION).exitCode()).isEqualTo(1);
    } finally {
      server.stop(0);
    }
    assertThat(heard.take()).contains("org.example.Pi").doesNotContain(SECRET, "hidden-4711");
  }

  @Test
  void theMainClassMustBeKnown() throws Exception {
    SubmitProcess.Ended ended = submit(here(), "--deploy-mode", "cluster", "hdfs://store/app.jar");
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.said()).contains("Error: No main class", "--class");
    assertThat(submit("nowhere", "--status", "driver-1").said())
        .contains("names no master: use spark://HOST:PORT");
  }

  @Test
  void requestsCarryNothingOfTheMapsToString() {
    assertThat(
            new DriverRequest("a.jar", "A", List.of(), Map.of("spark.authenticate.secret", SECRET))
                .toString())
        .doesNotContain(SECRET);
  }
}
